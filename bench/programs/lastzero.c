/* One thread looks for the last zero, N others write (Abdulla et al. 2014). */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int array[N + 1];

static void *look(void *unused)
{
    for (int i = N; atomic_load(&array[i]) != 0;)
        i--;
    return unused;
}

static void *write_one(void *argument)
{
    long me = (long)argument;
    atomic_store(&array[me], atomic_load(&array[me - 1]) + 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, look, NULL);
    for (long i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, write_one, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
