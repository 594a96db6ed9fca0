// A work-stealing queue after Cilk's: the owner pushes and pops at the tail, a thief steals at the
// head; only the last item makes them meet, and then the lock decides. Two ways to get it wrong:
// wsq_check_first looks whether an item is left before it claims one, so that a thief takes the
// same item in between. wsq_gives_up waits for the thief that it meets at the last item, but does
// not try again: it believes that the thief has got the item, while the thief gave up as well.
// group: cbound
// threads: 3
// finds: assertion
// lines: 56 58
// lines wsq_gives_up: 61 91
// options: --exit wait
// variants: wsq_check_first -DBUG=1
// variants: wsq_gives_up -DBUG=2 -DSTEALS=1
// variants: wsq_fixed -DBUG=0
// pb wsq_check_first: 1
// db wsq_check_first: 1
// pb wsq_gives_up: 2
// db wsq_gives_up: 2
// finds wsq_fixed: nothing
// pb wsq_fixed: -
// db wsq_fixed: -
// twin: wsq_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef STEALS
#define STEALS 2
#endif

enum { SIZE = 4, MASK = SIZE - 1, ITEMS = 2 };

struct queue {
    pthread_mutex_t lock;
    atomic_int head, tail; /* items are head..tail-1 */
    int items[SIZE];
};

static struct queue queue = {.lock = PTHREAD_MUTEX_INITIALIZER};
static int by_owner[ITEMS], by_thief[ITEMS]; /* how often each item was done */

static void push(int item)
{
    int tail = queue.tail;
    assert(tail < queue.head + MASK);
    queue.items[tail & MASK] = item;
    queue.tail = tail + 1;
}

static bool claim_tail(int *item)
{
    int tail = queue.tail - 1;
#if BUG == 1
    if (queue.head > tail)
        return false;
    queue.tail = tail;
#else
    queue.tail = tail;
    if (queue.head > tail) {
        queue.tail = tail + 1;
        return false;
    }
#endif
    *item = queue.items[tail & MASK];
    return true;
}

static bool pop(int *item)
{
    if (claim_tail(item))
        return true;
    pthread_mutex_lock(&queue.lock);
#if BUG == 2
    bool got = false;
#else
    bool got = claim_tail(item);
    if (!got)
        queue.head = queue.tail = 0;
#endif
    pthread_mutex_unlock(&queue.lock);
    return got;
}

static bool steal(int *item)
{
    pthread_mutex_lock(&queue.lock);
    int head = queue.head;
    queue.head = head + 1;
    bool got = head < queue.tail;
    if (got)
        *item = queue.items[head & MASK];
    else
        queue.head = head;
    pthread_mutex_unlock(&queue.lock);
    return got;
}

static void *own(void *unused)
{
    int item;
    if (pop(&item))
        by_owner[item]++;
    push(1);
    while (pop(&item))
        by_owner[item]++;
    return unused;
}

static void *rob(void *unused)
{
    int item;
    for (int i = 0; i < STEALS; i++)
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
