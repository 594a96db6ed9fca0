/* A bounded buffer with one condition variable for both "not full" and "not empty". signal wakes
 * one waiter; if that is a producer where a consumer was meant, everybody sleeps forever. Two
 * condition variables, or broadcast, repair it.
 *
 * Bohr says, in short:
 *
 *     finding 1: a deadlock: waiting forever: T2 at its wake changed, lock (take,
 *         bounded_buffer.c:63), T4 at its wake changed, lock (put, line 53)
 *         T1 began to wait for changed at line 63 before T2 began to wait for it at line 63, T2
 *         began to wait for changed at line 63 before T3 signalled it at line 55, and T4 began to
 *         wait for changed at line 53 before T1 signalled it at line 65
 *
 *       step  thread and operation
 *          0  T0    create T1  bounded_buffer.c:87
 *          1  T0    create T2  bounded_buffer.c:87
 *          2  T0    create T3  bounded_buffer.c:89
 *          3  T0    create T4  bounded_buffer.c:89
 *          4  T1    lock lock  bounded_buffer.c:61
 *          5  T1    wait changed, lock  bounded_buffer.c:63
 *          6  T2    lock lock  bounded_buffer.c:61
 *          7  T2    wait changed, lock  bounded_buffer.c:63
 *          8  T3    lock lock  bounded_buffer.c:51
 *          9  T3    signal changed → 0 of 2  bounded_buffer.c:55
 *         10  T3    unlock lock  bounded_buffer.c:56
 *         11  T4    lock lock  bounded_buffer.c:51
 *         12  T4    wait changed, lock  bounded_buffer.c:53
 *         13  T0    join T3  bounded_buffer.c:91
 *         14  T1    wake changed, lock  bounded_buffer.c:63
 *         15  T1    signal changed → 0 of 2  bounded_buffer.c:65
 *         16  T1    unlock lock  bounded_buffer.c:66
 *         17  T2    wake changed, lock  bounded_buffer.c:63
 *         18  T2    wait changed, lock  bounded_buffer.c:63
 *      waits  T0    join T4  bounded_buffer.c:91 ◀
 *      waits  T2    wake changed, lock  bounded_buffer.c:63 ◀
 *      waits  T4    wake changed, lock  bounded_buffer.c:53 ◀
 *
 * expect: finding deadlock
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
