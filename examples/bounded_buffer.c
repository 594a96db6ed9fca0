/* A bounded buffer with one condition variable for both "not full" and "not empty". signal wakes one
 * waiter; if that is a producer where a consumer was meant, everybody sleeps for ever. Two condition
 * variables, or broadcast, repair it.
 */
#include <pthread.h>
#include <stddef.h>

enum { CAPACITY = 1, PRODUCERS = 2, CONSUMERS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int buffer[CAPACITY];
static int count;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == CAPACITY)
        pthread_cond_wait(&changed, &lock);
    buffer[count++] = item;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    int item = buffer[--count];
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *item)
{
    put(*(int *)item);
    return NULL;
}

static void *consume(void *item)
{
    *(int *)item = take();
    return NULL;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    int made[PRODUCERS] = {1, 2}, taken[CONSUMERS];
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consume, &taken[i]);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], NULL, produce, &made[i]);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumers[i], NULL);
    return 0;
}
