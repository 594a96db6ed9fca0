// A sequence lock: the writer makes the sequence number odd, changes the pair, and makes it even
// again. The reader compares the numbers before and after but forgets that an odd one means a
// writer at work, so that a reader that comes and goes in the middle of a change takes half of it.
// group: idioms
// threads: 3
// finds: assertion
// lines: 47 51
// pb: 1
// db: 1
// options: --exit wait
// variants: seqlock
// variants: seqlock_fixed -DFIXED
// finds seqlock_fixed: nothing
// pb seqlock_fixed: -
// db seqlock_fixed: -
// twin: seqlock_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_uint sequence;
static atomic_int seconds, nanoseconds; /* a time: both belong together */

static void time_set(int value)
{
    atomic_fetch_add(&sequence, 1);
    atomic_store_explicit(&seconds, value, memory_order_relaxed);
    atomic_store_explicit(&nanoseconds, value, memory_order_relaxed);
    atomic_fetch_add(&sequence, 1);
}

static bool is_stable(unsigned before, unsigned after)
{
#ifdef FIXED
    if (before & 1)
        return false;
#endif
    return before == after;
}

static void time_get(int *first, int *second)
{
    unsigned before, after;
    do {
        before = sequence;
        *first = atomic_load_explicit(&seconds, memory_order_relaxed);
        *second = atomic_load_explicit(&nanoseconds, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = sequence;
    } while (!is_stable(before, after));
}

static void *tick(void *unused)
{
    time_set(1);
    time_set(2);
    return unused;
}

static void *look(void *unused)
{
    int first, second;
    time_get(&first, &second);
    assert(first == second);
    return unused;
}

int main(void)
{
    pthread_t clock, reader;
    pthread_create(&clock, NULL, tick, NULL);
    pthread_create(&reader, NULL, look, NULL);
    pthread_join(clock, NULL);
    pthread_join(reader, NULL);
    return 0;
}
