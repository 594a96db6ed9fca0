// A bounded buffer whose put wakes a consumer only if the buffer was empty before. Two consumers
// wait, two items are put before the first of them has run: one consumer is woken, the other sleeps
// forever beside an item.
// group: idioms
// threads: 4
// finds: deadlock
// lines: 50 58
// pb: 0
// db: 0
// options: --exit wait
// variants: bounded_buffer
// variants: bounded_buffer_fixed -DFIXED
// finds bounded_buffer_fixed: nothing
// pb bounded_buffer_fixed: -
// db bounded_buffer_fixed: -
// twin: bounded_buffer_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { CAPACITY = 2, CONSUMERS = 2 };

struct buffer {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int items[CAPACITY];
    int first, count;
};

static struct buffer buffer = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static void put(int item)
{
    pthread_mutex_lock(&buffer.lock);
    while (buffer.count == CAPACITY)
        pthread_cond_wait(&buffer.not_full, &buffer.lock);
    buffer.items[(buffer.first + buffer.count) % CAPACITY] = item;
    buffer.count++;
#ifdef FIXED
    bool wake = true;
#else
    bool wake = buffer.count == 1;
#endif
    if (wake)
        pthread_cond_signal(&buffer.not_empty);
    pthread_mutex_unlock(&buffer.lock);
}

static int take(void)
{
    pthread_mutex_lock(&buffer.lock);
    while (buffer.count == 0)
        pthread_cond_wait(&buffer.not_empty, &buffer.lock);
    int item = buffer.items[buffer.first];
    buffer.first = (buffer.first + 1) % CAPACITY;
    buffer.count--;
    pthread_cond_signal(&buffer.not_full);
    pthread_mutex_unlock(&buffer.lock);
    return item;
}

static void *produce(void *unused)
{
    for (int i = 0; i < CONSUMERS; i++)
        put(i + 1);
    return unused;
}

static void *consume(void *taken)
{
    *(int *)taken = take();
    return NULL;
}

int main(void)
{
    pthread_t producer, consumers[CONSUMERS];
    int taken[CONSUMERS], sum = 0;
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consume, &taken[i]);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(producer, NULL);
    for (int i = 0; i < CONSUMERS; i++) {
        pthread_join(consumers[i], NULL);
        sum += taken[i];
    }
    assert(sum == CONSUMERS * (CONSUMERS + 1) / 2);
    return 0;
}
