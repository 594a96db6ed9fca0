// A ring for one producer and one consumer. The consumer moves the head, which gives the slot back
// to the producer, before it has read what is in the slot: in a full ring the producer fills it
// again in between.
// group: idioms
// threads: 3
// finds: assertion
// lines: 34 49
// pb: 1
// db: 1
// options: --exit wait
// variants: spsc_ring
// variants: spsc_ring_fixed -DFIXED
// finds spsc_ring_fixed: nothing
// pb spsc_ring_fixed: -
// db spsc_ring_fixed: -
// twin: spsc_ring_fixed
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIZE = 2, ITEMS = 3 };

static int slots[SIZE];
static atomic_uint head, tail; /* filled slots are head..tail-1 */

static bool put(int item)
{
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return false;
    slots[at % SIZE] = item;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    return true;
}

static bool take(int *item)
{
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == atomic_load_explicit(&tail, memory_order_acquire))
        return false;
#ifdef FIXED
    *item = slots[at % SIZE];
    atomic_store_explicit(&head, at + 1, memory_order_release);
#else
    atomic_store_explicit(&head, at + 1, memory_order_release);
    *item = slots[at % SIZE];
#endif
    return true;
}

static void *produce(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        while (!put(i))
            sched_yield();
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        int item;
        while (!take(&item))
            sched_yield();
        assert(item == i);
    }
    return unused;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
