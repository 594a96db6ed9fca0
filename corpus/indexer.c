// Threads put messages into one hash table without locks. Each has its own messages, and up to
// eleven threads never meet; every thread more meets one of the first in three cells. Nothing is
// wrong: it shows how many executions a reduced search needs, 8 times as many for each thread from
// the twelfth.
// group: reduction
// finds: nothing
// pb: -
// db: -
// variants: indexer_small -DMESSAGES=2 -DDISTANCE=2
// variants: indexer_11
// variants: indexer_12
// variants: indexer_13
// variants: indexer_14
// variants: indexer_15
// variants: indexer_16
// args indexer_small: 4
// args indexer_11: 11
// args indexer_12: 12
// args indexer_13: 13
// args indexer_14: 14
// args indexer_15: 15
// args indexer_16: 16
// threads indexer_small: 5
// threads indexer_11: 12
// threads indexer_12: 13
// threads indexer_13: 14
// threads indexer_14: 15
// threads indexer_15: 16
// threads indexer_16: 17
// classes indexer_small: 4
// classes indexer_11: 1
// classes indexer_12: 8
// classes indexer_13: 64
// classes indexer_14: 512
// classes indexer_15: 4096
// classes indexer_16: 32768
// beyond indexer_11: classes
// beyond indexer_12: classes
// beyond indexer_13: classes
// beyond indexer_14: classes
// beyond indexer_15: classes
// beyond indexer_16: classes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef MESSAGES
#define MESSAGES 4
#endif
#ifndef DISTANCE
#define DISTANCE 11
#endif

enum { SIZE = 128, FACTOR = 7, INDEXERS_MAX = 16 };

static atomic_int table[SIZE]; /* 0: free */

static void insert(int message)
{
    int cell = message * FACTOR % SIZE, seen = 0;
    while (!atomic_compare_exchange_strong(&table[cell], &seen, message)) {
        cell = (cell + 1) % SIZE;
        seen = 0;
    }
}

static void *index_messages(void *argument)
{
    int self = *(int *)argument;
    for (int i = 1; i <= MESSAGES; i++)
        insert(i * DISTANCE + self);
    return NULL;
}

int main(int argument_count, char **arguments)
{
    int count = argument_count > 1 ? atoi(arguments[1]) : 0;
    assert(count > 0 && count <= INDEXERS_MAX);
    pthread_t indexers[INDEXERS_MAX];
    int numbers[INDEXERS_MAX], filled = 0;
    for (int i = 0; i < count; i++) {
        numbers[i] = i;
        pthread_create(&indexers[i], NULL, index_messages, &numbers[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(indexers[i], NULL);
    for (int i = 0; i < SIZE; i++)
        filled += table[i] != 0;
    assert(filled == count * MESSAGES);
    return 0;
}
