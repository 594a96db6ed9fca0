/* A queue without locks, for one producer and one consumer: a ring of slots and two counters. The producer says
 * that there is something before it has written it, so that the consumer may take what is not there yet.
 *
 * Bohr says that the assertion in main fails, since the slot was read before it was written, and that it is raced for. Built with
 * -DFIXED, where the counter moves after the slot is written, all classes of interleavings are explored and nothing
 * is wrong.
 *
 * expect: finding assertion
 * expect: finding race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SLOTS = 2, ITEMS = 2 };

static struct {
    atomic_uint head, tail; /* taken and put so far */
    int slots[SLOTS];
} queue;

static bool queue_put(int item)
{
    unsigned tail = atomic_load(&queue.tail);
    if (tail - atomic_load(&queue.head) == SLOTS)
        return false;
#ifdef FIXED
    queue.slots[tail % SLOTS] = item;
    atomic_store(&queue.tail, tail + 1);
#else
    atomic_store(&queue.tail, tail + 1);
    queue.slots[tail % SLOTS] = item;
#endif
    return true;
}

static bool queue_take(int *item)
{
    unsigned head = atomic_load(&queue.head);
    if (atomic_load(&queue.tail) == head)
        return false;
    *item = queue.slots[head % SLOTS];
    atomic_store(&queue.head, head + 1);
    return true;
}

static void *produce(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        queue_put(i);
    return unused;
}

int main(void)
{
    pthread_t producer;
    int item, expected = 1;
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < ITEMS; i++)
        if (queue_take(&item))
            assert(item == expected++);
    pthread_join(producer, NULL);
    return 0;
}
