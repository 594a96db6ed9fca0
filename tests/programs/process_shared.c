// Objects that are made to be shared by processes, in shared memory, work between threads as others do. A thread and
// main meet at each of them, waiting for the other, so what is left is which process comes first: every
// order ends well.
// modes: all preload
// run: -s preempt -b 0
// expect: no finding
// expect: complete == true
// run: -s random -n 30
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/mman.h>

static struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_rwlock_t rwlock;
    pthread_barrier_t barrier;
    pthread_spinlock_t spin;
    sem_t semaphore;
    int ready, total;
} *all;

static void make(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_rwlockattr_t rwlock;
    pthread_barrierattr_t barrier;
    int shared = -1;
    assert(pthread_mutexattr_init(&mutex) == 0 && pthread_condattr_init(&cond) == 0);
    assert(pthread_rwlockattr_init(&rwlock) == 0 && pthread_barrierattr_init(&barrier) == 0);
    assert(pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrierattr_getpshared(&barrier, &shared) == 0);
    assert(shared == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutex_init(&all->mutex, &mutex) == 0);
    assert(pthread_cond_init(&all->cond, &cond) == 0);
    assert(pthread_rwlock_init(&all->rwlock, &rwlock) == 0);
    assert(pthread_barrier_init(&all->barrier, &barrier, 2) == 0);
    assert(pthread_spin_init(&all->spin, PTHREAD_PROCESS_SHARED) == 0);
    assert(sem_init(&all->semaphore, 1, 0) == 0);
}

static void *work(void *unused)
{
    assert(pthread_mutex_lock(&all->mutex) == 0);
    while (!all->ready)
        assert(pthread_cond_wait(&all->cond, &all->mutex) == 0);
    assert(pthread_mutex_unlock(&all->mutex) == 0);
    int result = pthread_barrier_wait(&all->barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_rwlock_wrlock(&all->rwlock) == 0);
    all->total++;
    assert(pthread_rwlock_unlock(&all->rwlock) == 0 && sem_post(&all->semaphore) == 0);
    return unused;
}

static void destroy(void)
{
    assert(pthread_mutex_destroy(&all->mutex) == 0 && pthread_cond_destroy(&all->cond) == 0);
    assert(pthread_rwlock_destroy(&all->rwlock) == 0);
    assert(pthread_barrier_destroy(&all->barrier) == 0);
    assert(pthread_spin_destroy(&all->spin) == 0 && sem_destroy(&all->semaphore) == 0);
}

int main(void)
{
    pthread_t thread;
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(all != MAP_FAILED);
    make();
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    assert(pthread_mutex_lock(&all->mutex) == 0);
    all->ready = 1;
    assert(pthread_cond_signal(&all->cond) == 0 && pthread_mutex_unlock(&all->mutex) == 0);
    int result = pthread_barrier_wait(&all->barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_rwlock_rdlock(&all->rwlock) == 0);
    assert(all->total == 0 || all->total == 1);
    assert(pthread_rwlock_unlock(&all->rwlock) == 0 && sem_wait(&all->semaphore) == 0);
    assert(pthread_spin_lock(&all->spin) == 0 && all->total == 1);
    assert(pthread_spin_unlock(&all->spin) == 0 && pthread_join(thread, NULL) == 0);
    destroy();
    return 0;
}
