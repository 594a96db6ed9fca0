// A ring for many producers and consumers: each slot has a sequence number that says whose turn it
// is. The producer passes the turn to the consumer before it has stored the value, and the consumer
// takes what was there before.
// group: idioms
// threads: 4
// finds: assertion
// lines: 50 51
// pb: 1
// db: 1
// options: --exit wait
// variants: mpmc_ring
// variants: mpmc_ring_fixed -DFIXED
// finds mpmc_ring_fixed: nothing
// pb mpmc_ring_fixed: -
// db mpmc_ring_fixed: -
// twin: mpmc_ring_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIZE = 2, PRODUCERS = 2 };

static struct {
    atomic_uint turn; /* position: free for it; position + 1: filled */
    int value;
} slots[SIZE];

static atomic_uint put_position, take_position;

static bool put(int value)
{
    unsigned position = put_position;
    for (;;) {
        unsigned turn = slots[position % SIZE].turn;
        if (turn == position) {
            if (atomic_compare_exchange_strong(&put_position, &position, position + 1))
                break;
        } else if ((int)(turn - position) < 0) {
            return false;
        } else {
            position = put_position;
        }
    }
#ifdef FIXED
    slots[position % SIZE].value = value;
    slots[position % SIZE].turn = position + 1;
#else
    slots[position % SIZE].turn = position + 1;
    slots[position % SIZE].value = value;
#endif
    return true;
}

static bool take(int *value)
{
    unsigned position = take_position;
    for (;;) {
        unsigned turn = slots[position % SIZE].turn;
        if (turn == position + 1) {
            if (atomic_compare_exchange_strong(&take_position, &position, position + 1))
                break;
        } else if ((int)(turn - (position + 1)) < 0) {
            return false;
        } else {
            position = take_position;
        }
    }
    *value = slots[position % SIZE].value;
    slots[position % SIZE].turn = position + SIZE;
    return true;
}

static void *produce(void *value)
{
    assert(put(*(int *)value));
    return NULL;
}

static void *consume(void *unused)
{
    int value;
    if (take(&value))
        assert(value == 1 || value == 2);
    return unused;
}

int main(void)
{
    for (unsigned i = 0; i < SIZE; i++)
        slots[i].turn = i;
    pthread_t producers[PRODUCERS], consumer;
    int values[PRODUCERS] = {1, 2};
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], NULL, produce, &values[i]);
    pthread_create(&consumer, NULL, consume, NULL);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    pthread_join(consumer, NULL);
    return 0;
}
