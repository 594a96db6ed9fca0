/* T threads that do nothing but touch atomics of their own, STEPS in all; then some of them update one, in any
 * order. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int own[T][16], shared;

static void *work(void *argument)
{
    long me = (long)argument;
    for (int i = 0; i < STEPS / T; i++)
        atomic_fetch_add(&own[me][i % 16], 1);
    if (me < RACERS)
        atomic_fetch_add(&shared, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[T];
    for (long i = 0; i < T; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < T; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
