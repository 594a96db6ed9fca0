// Loops that initialise, use and destroy locks and the like in each turn, and never end, are livelocks; one that ends by
// the value with which a semaphore was initialised is none.
// modes: all
// run: --no-shrink -s dfs -- all
// expect: finding livelock
// expect: findings[0].cycle == 14
// run: -s dfs -- value
// expect: no finding
// expect: complete == true
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 1000 };

static sem_t semaphore;
static volatile int stop;

static void must(int right)
{
    if (!right)
        abort();
}

/* 14 steps: 3, 2, 2, 3 and 4 of them. */
static __attribute__((noinline)) void use_all(void)
{
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_rwlock_t lock;
    pthread_barrier_t barrier;
    pthread_spinlock_t spin;
    sem_t own;
    must(pthread_mutex_init(&mutex, NULL) == 0 && pthread_cond_init(&cond, NULL) == 0);
    must(pthread_mutex_lock(&mutex) == 0 && pthread_cond_signal(&cond) == 0);
    must(pthread_mutex_unlock(&mutex) == 0 && pthread_cond_destroy(&cond) == 0);
    must(pthread_mutex_destroy(&mutex) == 0 && pthread_spin_init(&spin, 0) == 0);
    must(pthread_spin_lock(&spin) == 0 && pthread_spin_unlock(&spin) == 0 && pthread_spin_destroy(&spin) == 0);
    must(pthread_barrier_init(&barrier, NULL, 1) == 0);
    must(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    must(pthread_barrier_destroy(&barrier) == 0 && sem_init(&own, 0, 1) == 0);
    must(sem_wait(&own) == 0 && sem_post(&own) == 0 && sem_trywait(&own) == 0 && sem_destroy(&own) == 0);
    must(pthread_rwlock_init(&lock, NULL) == 0 && pthread_rwlock_rdlock(&lock) == 0);
    must(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_wrlock(&lock) == 0);
    must(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_destroy(&lock) == 0);
}

static __attribute__((noinline)) int begin_anew(void)
{
    int value;
    must(sem_getvalue(&semaphore, &value) == 0 && sem_destroy(&semaphore) == 0);
    must(sem_init(&semaphore, 0, (unsigned)value + 1) == 0);
    int goes_on = value < TURNS;
    value = 0;
    return goes_on;
}

int main(int argc, char **argv)
{
    sem_init(&semaphore, 0, 0);
    if (argc > 1 && strcmp(argv[1], "value") == 0)
        while (begin_anew())
            ;
    else
        while (!stop)
            use_all();
    return 0;
}
