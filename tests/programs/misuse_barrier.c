// Uses of barriers and semaphores that POSIX leaves undefined are found. With "waited" main destroys both
// while a thread waits at or for them.
// modes: all
// run: -s dfs -k
// expect: finding misuse
// expect: executions 1
// expect: output a barrier is used that was never initialised
// expect: output a barrier is initialised again and was not destroyed
// expect: output a barrier is used after it was destroyed
// expect: output a barrier is destroyed twice
// run: -s dfs -k -- semaphore
// expect: finding misuse
// expect: executions 1
// expect: output a semaphore is initialised again and was not destroyed
// expect: output a semaphore is used after it was destroyed
// expect: output a semaphore is destroyed twice
// run: -s dfs -k -- waited
// expect: finding misuse
// expect: finding race
// expect: output a barrier is destroyed that a thread waits at
// expect: output also involved: T1
// run: -s dfs -k -- again
// expect: finding misuse
// expect: finding race
// expect: output a barrier is initialised that a thread waits at
// expect: output also involved: T1
// run: -s dfs -- blocked
// expect: finding misuse
// expect: finding race
// expect: output a semaphore is destroyed that a thread waits for
// expect: output also involved: T1
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

static pthread_barrier_t barrier;
static sem_t semaphore;

static void *wait_at(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *wait_for(void *unused)
{
    sem_wait(&semaphore);
    return unused;
}

static void misuse_semaphore(void)
{
    sem_init(&semaphore, 0, 0);
    sem_init(&semaphore, 0, 0);
    sem_destroy(&semaphore);
    sem_post(&semaphore);
    sem_destroy(&semaphore);
}

static void destroy_waited(void *(*wait)(void *))
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, wait, NULL);
    if (wait == wait_at) {
        sem_post(&semaphore); /* or T1 arrives before */
        pthread_barrier_destroy(&barrier);
        wait_at(NULL);
    } else {
        sem_destroy(&semaphore);
        sem_post(&semaphore);
    }
    pthread_join(thread, NULL);
}

/* T1 waits already, or comes to a barrier of one. */
static void initialise_waited(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, wait_at, NULL);
    sem_post(&semaphore);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, NULL, 1);
    wait_at(NULL);
    pthread_join(thread, NULL);
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    if (strcmp(way, "semaphore") == 0) {
        misuse_semaphore();
    } else if (strcmp(way, "waited") == 0) {
        destroy_waited(wait_at);
    } else if (strcmp(way, "again") == 0) {
        initialise_waited();
    } else if (strcmp(way, "blocked") == 0) {
        destroy_waited(wait_for);
    } else {
        pthread_barrier_wait(&barrier);
        pthread_barrier_init(&barrier, NULL, 1);
        pthread_barrier_init(&barrier, NULL, 1);
        pthread_barrier_destroy(&barrier);
        pthread_barrier_wait(&barrier);
        pthread_barrier_destroy(&barrier);
    }
    return 0;
}
