// A thread that leaves a barrier comes after those that arrived in the same round, not after what they did before they arrived
// for the next one: the race is found whatever the order of leaving and arriving.
// build: gcc -O1
// run: -k -s dpor
// expect: finding race
// run: -k -s bpor
// expect: finding race
// run: -k -s dfs
// expect: finding race
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static sem_t passed;
static int data;

static void *writer(void *unused)
{
    pthread_barrier_wait(&barrier);
    data = 1;
    sem_post(&passed);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void *reader(void *unused)
{
    pthread_barrier_wait(&barrier);
    return (void *)(long)data;
}

static void *partner(void *unused)
{
    sem_wait(&passed);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    static void *(*const starts[3])(void *) = {reader, writer, partner};
    pthread_t threads[3];
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&passed, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
