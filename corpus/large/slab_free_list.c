// An allocator of equal slabs: the free ones are a list without locks whose head is an index, taken
// and put back by compare-and-swap. While one thread is between reading the head and swapping it,
// others take two slabs and put the first one back: the swap succeeds, and the head is now a slab
// that is in use.
// group: large
// threads: 4
// finds: assertion
// pb: 2
// db: 2
// lines: 51 54
// options: --exit wait
// variants: slab_free_list
// variants: slab_free_list_fixed -DFIXED
// finds slab_free_list_fixed: nothing
// pb slab_free_list_fixed: -
// db slab_free_list_fixed: -
// twin slab_free_list: slab_free_list_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { SLABS = 4, THREADS = 3, ROUNDS = 4, NONE = -1 };

static struct slab {
    atomic_int next;
    atomic_int users;
} slabs[SLABS];

/* The index of the first free slab and, in the upper half, how often it was taken. */
static atomic_llong head;

static int first_of(long long value)
{
    return (int)(int32_t)value;
}

static long long value_of(int first, long long before)
{
#ifdef FIXED
    long long tag = (before >> 32) + 1;
#else
    long long tag = 0;
#endif
    return tag << 32 | (uint32_t)first;
}

static int slab_take(void)
{
    long long old = head;
    while (first_of(old) != NONE) {
        int slab = first_of(old), next = slabs[slab].next;
        if (atomic_compare_exchange_strong(&head, &old, value_of(next, old)))
            return slab;
    }
    return NONE;
}

static void slab_give(int slab)
{
    long long old = head;
    do
        slabs[slab].next = first_of(old);
    while (!atomic_compare_exchange_strong(&head, &old, value_of(slab, old)));
}

static void slab_use(int slab)
{
    assert(atomic_fetch_add(&slabs[slab].users, 1) == 0);
}

static void slab_leave(int slab)
{
    atomic_fetch_sub(&slabs[slab].users, 1);
    slab_give(slab);
}

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        int one = slab_take(), other = i % 2 ? slab_take() : NONE;
        if (one != NONE)
            slab_use(one);
        if (other != NONE)
            slab_use(other);
        if (one != NONE)
            slab_leave(one);
        if (other != NONE)
            slab_leave(other);
    }
    return unused;
}

int main(void)
{
    for (int i = 0; i < SLABS; i++)
        slabs[i].next = i + 1 < SLABS ? i + 1 : NONE;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
