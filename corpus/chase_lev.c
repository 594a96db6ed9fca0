// A work-stealing queue without locks, after Chase and Lev: the owner works at the bottom, thieves
// compete for the top with a compare-exchange. For the last item the owner must compete too; here
// it only looks whether the top is still the same and then moves it, and a thief wins in between:
// both do the item.
// group: cbound
// threads: 3
// finds: assertion
// lines: 43 45 73
// pb: 2
// db: 3
// options: --exit wait
// variants: chase_lev
// variants: chase_lev_fixed -DFIXED
// finds chase_lev_fixed: nothing
// pb chase_lev_fixed: -
// db chase_lev_fixed: -
// twin: chase_lev_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIZE = 4, MASK = SIZE - 1, ITEMS = 2 };

static atomic_int top, bottom; /* items are top..bottom-1 */
static atomic_int items[SIZE]; /* a thief may read one that it does not get */
static int by_owner[ITEMS], by_thief[ITEMS];

static void push(int item)
{
    int last = bottom;
    assert(last - top < MASK);
    items[last & MASK] = item;
    bottom = last + 1;
}

static bool top_advance(int expected)
{
#ifdef FIXED
    return atomic_compare_exchange_strong(&top, &expected, expected + 1);
#else
    if (top != expected)
        return false;
    top = expected + 1;
    return true;
#endif
}

static bool pop(int *item)
{
    int last = bottom - 1;
    bottom = last;
    int first = top;
    if (first > last) {
        bottom = first;
        return false;
    }
    *item = items[last & MASK];
    if (first < last)
        return true;
    bool got = top_advance(first);
    bottom = last + 1;
    return got;
}

static bool steal(int *item)
{
    int first = top;
    if (first >= bottom)
        return false;
    *item = items[first & MASK];
    return atomic_compare_exchange_strong(&top, &first, first + 1);
}

static void *own(void *unused)
{
    int item;
    push(1);
    while (pop(&item))
        by_owner[item]++;
    return unused;
}

static void *rob(void *unused)
{
    int item;
    if (steal(&item))
        by_thief[item]++;
    return unused;
}

int main(void)
{
    push(0);
    pthread_t owner, thief;
    pthread_create(&owner, NULL, own, NULL);
    pthread_create(&thief, NULL, rob, NULL);
    pthread_join(owner, NULL);
    pthread_join(thief, NULL);
    for (int i = 0; i < ITEMS; i++)
        assert(by_owner[i] + by_thief[i] == 1);
    return 0;
}
