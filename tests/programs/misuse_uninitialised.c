// Objects that were never initialised are used. Zeros are what the static initialisers of mutexes, condition
// variables and read-write locks leave, so with these only other memory is told; semaphores, spin locks
// and barriers have none. What waits goes on to wait: with "wait" main posts what T1 waits for.
// modes: all
// run: -s dfs -k
// expect: finding misuse
// expect: executions 1
// expect: output a mutex is used that was never initialised
// expect: output a condition variable is used that was never initialised
// expect: output a read-write lock is used that was never initialised
// expect: output a spin lock is used that was never initialised
// expect: output a barrier is used that was never initialised
// expect: output a semaphore is used that was never initialised
// run: -s dfs -k -- wait
// expect: finding misuse
// expect: complete == true
// run: -s dfs -k -- alone
// expect: finding misuse
// expect: finding deadlock
// run: -s dfs -- zeros
// expect: no finding
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_mutex_t mutex;
static pthread_cond_t cond;
static pthread_rwlock_t lock;

static void *wait_for(void *unused)
{
    assert(sem_wait(&semaphore) == 0);
    return unused;
}

static void another_waits(const char *way)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, wait_for, NULL) == 0);
    if (strcmp(way, "wait") == 0)
        assert(sem_post(&semaphore) == 0);
    assert(pthread_join(thread, NULL) == 0);
}

static void zeros_are_right(void)
{
    assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_cond_signal(&cond) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "zeros") == 0) {
        zeros_are_right();
        return 0;
    }
    if (count > 1) {
        another_waits(arguments[1]);
        return 0;
    }
    memset(&mutex, 0x55, sizeof mutex);
    memset(&cond, 0x55, sizeof cond);
    memset(&lock, 0x55, sizeof lock);
    assert(pthread_mutex_lock(&mutex) == EINVAL);
    pthread_cond_signal(&cond);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    pthread_barrier_wait(&barrier);
    assert(sem_post(&semaphore) == 0 && sem_wait(&semaphore) == 0);
    return 0;
}
