// Destroying what is in use is a misuse and returns EBUSY, as POSIX recommends (glibc returns 0 for
// some, and waits forever for others); what was in use goes on to work. That nothing orders the two is a
// race. A thread that arrives at a barrier after it was destroyed and before it is initialised again is never
// let go.
// modes: all
// run: -s dfs -k -- mutex
// expect: finding misuse
// expect: complete == true
// run: -s dfs -k -- cond
// expect: finding misuse
// expect: complete == true
// run: -s dfs -k -- rwlock
// expect: finding misuse
// expect: complete == true
// run: -s dfs -k -- spin
// expect: finding misuse
// expect: complete == true
// run: -s dfs -k -- barrier
// expect: finding misuse
// expect: finding race
// expect: finding deadlock
// expect: complete == true
// run: -s dfs -k -- semaphore
// expect: finding misuse
// expect: finding race
// expect: complete == true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t taken, finish, waited;
static int waits, told;

static void hold(void)
{
    assert(sem_post(&taken) == 0 && sem_wait(&finish) == 0);
}

static void *hold_mutex(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    hold();
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

static void *hold_rwlock(void *unused)
{
    assert(pthread_rwlock_rdlock(&rwlock) == 0);
    hold();
    assert(pthread_rwlock_unlock(&rwlock) == 0);
    return unused;
}

static void *hold_spin(void *unused)
{
    assert(pthread_spin_lock(&spin) == 0);
    hold();
    assert(pthread_spin_unlock(&spin) == 0);
    return unused;
}

static void *wait_for_cond(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    waits = 1;
    while (!told)
        assert(pthread_cond_wait(&cond, &mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

static void *wait_at_barrier(void *unused)
{
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    return unused;
}

static void *wait_for_semaphore(void *unused)
{
    assert(sem_wait(&waited) == 0);
    return unused;
}

static void held(void *(*start)(void *), int (*destroy)(void))
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, start, NULL) == 0);
    assert(sem_wait(&taken) == 0);
    assert(destroy() == EBUSY);
    assert(sem_post(&finish) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(destroy() == 0);
}

static int destroy_mutex(void)
{
    return pthread_mutex_destroy(&mutex);
}

static int destroy_rwlock(void)
{
    return pthread_rwlock_destroy(&rwlock);
}

static int destroy_spin(void)
{
    return pthread_spin_destroy(&spin);
}

static void waited_for(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, wait_for_cond, NULL) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    told = 1;
    if (waits) { /* it released the mutex, so it sleeps */
        assert(pthread_cond_destroy(&cond) == EBUSY);
        assert(pthread_cond_signal(&cond) == 0);
    }
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_cond_destroy(&cond) == 0);
}

/* Where T1 waits already, main's first attempt comes too early; where it does not, so does T1. */
static void destroyed_barrier(void)
{
    pthread_t thread;
    assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
    assert(pthread_create(&thread, NULL, wait_at_barrier, NULL) == 0);
    assert(sem_post(&taken) == 0); /* a step, before which T1 can arrive */
    if (pthread_barrier_destroy(&barrier) == 0)
        assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
    wait_at_barrier(NULL);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_barrier_destroy(&barrier) == 0);
}

/* T1 has come to its wait when it is created. glibc returns 0, and so do we. */
static void destroyed_semaphore(void)
{
    pthread_t thread;
    assert(sem_init(&waited, 0, 0) == 0);
    assert(pthread_create(&thread, NULL, wait_for_semaphore, NULL) == 0);
    assert(sem_destroy(&waited) == 0);
    assert(sem_init(&waited, 0, 1) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(sem_destroy(&waited) == 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    assert(sem_init(&taken, 0, 0) == 0 && sem_init(&finish, 0, 0) == 0);
    assert(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
    if (strcmp(what, "mutex") == 0)
        held(hold_mutex, destroy_mutex);
    else if (strcmp(what, "rwlock") == 0)
        held(hold_rwlock, destroy_rwlock);
    else if (strcmp(what, "spin") == 0)
        held(hold_spin, destroy_spin);
    else if (strcmp(what, "barrier") == 0)
        destroyed_barrier();
    else if (strcmp(what, "semaphore") == 0)
        destroyed_semaphore();
    else
        waited_for();
    assert(sem_destroy(&taken) == 0 && sem_destroy(&finish) == 0);
    return 0;
}
