// Each error that POSIX defines for mutexes, condition variables, read-write locks, spin locks,
// barriers and keys, where it can be provoked; as with libc. Main waits for each other thread to end:
// one execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = 1000000000};
static pthread_mutex_t mutex, robust;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void fails(int result, int error)
{
    if (result != error)
        fprintf(stderr, "expected %s, got %s\n", strerrorname_np(error), strerrorname_np(result));
    assert(result == error);
}

static void init(pthread_mutex_t *which, int type, int protocol, int robustness)
{
    pthread_mutexattr_t attributes;
    assert(pthread_mutexattr_init(&attributes) == 0);
    assert(pthread_mutexattr_settype(&attributes, type) == 0);
    assert(pthread_mutexattr_setprotocol(&attributes, protocol) == 0);
    assert(pthread_mutexattr_setrobust(&attributes, robustness) == 0);
    assert(pthread_mutex_init(which, &attributes) == 0);
    assert(pthread_mutexattr_destroy(&attributes) == 0);
}

static void attributes(void)
{
    pthread_mutexattr_t of_mutex;
    pthread_condattr_t of_cond;
    pthread_rwlockattr_t of_rwlock;
    pthread_barrierattr_t of_barrier;
    assert(pthread_mutexattr_init(&of_mutex) == 0 && pthread_condattr_init(&of_cond) == 0);
    assert(pthread_rwlockattr_init(&of_rwlock) == 0 && pthread_barrierattr_init(&of_barrier) == 0);
    fails(pthread_mutexattr_settype(&of_mutex, 99), EINVAL);
    fails(pthread_mutexattr_setprotocol(&of_mutex, 99), EINVAL);
    fails(pthread_mutexattr_setrobust(&of_mutex, 99), EINVAL);
    fails(pthread_mutexattr_setpshared(&of_mutex, 99), EINVAL);
    fails(pthread_mutexattr_setprioceiling(&of_mutex, 9999), EINVAL);
    fails(pthread_condattr_setclock(&of_cond, CLOCK_PROCESS_CPUTIME_ID), EINVAL);
    fails(pthread_condattr_setpshared(&of_cond, 99), EINVAL);
    fails(pthread_rwlockattr_setpshared(&of_rwlock, 99), EINVAL);
    fails(pthread_barrierattr_setpshared(&of_barrier, 99), EINVAL);
    assert(pthread_mutexattr_setprotocol(&of_mutex, PTHREAD_PRIO_PROTECT) == 0);
    assert(pthread_mutexattr_setrobust(&of_mutex, PTHREAD_MUTEX_ROBUST) == 0);
    fails(pthread_mutex_init(&mutex, &of_mutex), ENOTSUP);
}

static void error_checking(void)
{
    init(&mutex, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
    fails(pthread_mutex_unlock(&mutex), EPERM);
    fails(pthread_cond_wait(&cond, &mutex), EPERM);
    fails(pthread_cond_timedwait(&cond, &mutex, &past), EPERM);
    fails(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &past), EPERM);
    assert(pthread_mutex_lock(&mutex) == 0);
    fails(pthread_mutex_lock(&mutex), EDEADLK);
    fails(pthread_mutex_trylock(&mutex), EBUSY);
    fails(pthread_mutex_timedlock(&mutex, &past), EDEADLK);
    fails(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past), EDEADLK);
    fails(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    fails(pthread_cond_timedwait(&cond, &mutex, &past), ETIMEDOUT);
    fails(pthread_cond_timedwait(&cond, &mutex, &wrong), EINVAL);
    fails(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    fails(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &wrong), EINVAL);
    fails(pthread_cond_clockwait(&cond, &mutex, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    fails(pthread_mutex_consistent(&mutex), EINVAL);
    fails(pthread_mutex_getprioceiling(&mutex, &(int){0}), EINVAL);
    fails(pthread_mutex_setprioceiling(&mutex, 1, NULL), EINVAL);
    assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_destroy(&mutex) == 0);
}

/* With a protocol the ceiling can be changed: it is locked for that. */
static void ceilings(void)
{
    init(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_PROTECT, PTHREAD_MUTEX_STALLED);
    fails(pthread_mutex_setprioceiling(&mutex, 9999, NULL), EINVAL);
    assert(pthread_mutex_destroy(&mutex) == 0);
}

static void *holds_and_ends(void *unused)
{
    assert(pthread_mutex_lock(&robust) == 0);
    return unused;
}

static void *another(void *(*work)(void *))
{
    pthread_t thread;
    void *result;
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    assert(pthread_join(thread, &result) == 0);
    return result;
}

static void new_robust(void)
{
    init(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
    another(holds_and_ends);
}

static void owner_is_dead(void)
{
    new_robust();
    fails(pthread_mutex_lock(&robust), EOWNERDEAD);
    assert(pthread_mutex_unlock(&robust) == 0); /* not made consistent: lost */
    fails(pthread_mutex_unlock(&robust), EPERM);
    fails(pthread_mutex_lock(&robust), ENOTRECOVERABLE);
    fails(pthread_mutex_timedlock(&robust, &past), ENOTRECOVERABLE);
    fails(pthread_mutex_clocklock(&robust, CLOCK_MONOTONIC, &past), ENOTRECOVERABLE);
    fails(pthread_mutex_trylock(&robust), ENOTRECOVERABLE); /* last: glibc's keeps it locked */
    assert(pthread_mutex_destroy(&robust) == 0);
    new_robust();
    fails(pthread_mutex_trylock(&robust), EOWNERDEAD);
    assert(pthread_mutex_consistent(&robust) == 0 && pthread_mutex_unlock(&robust) == 0);
    another(holds_and_ends);
    fails(pthread_mutex_timedlock(&robust, &past), EOWNERDEAD);
    assert(pthread_mutex_consistent(&robust) == 0 && pthread_mutex_unlock(&robust) == 0);
    another(holds_and_ends);
    fails(pthread_mutex_clocklock(&robust, CLOCK_MONOTONIC, &past), EOWNERDEAD);
    assert(pthread_mutex_consistent(&robust) == 0 && pthread_mutex_unlock(&robust) == 0);
    assert(pthread_mutex_destroy(&robust) == 0);
}

static void *while_held(void *unused)
{
    fails(pthread_rwlock_tryrdlock(&lock), EBUSY);
    fails(pthread_rwlock_trywrlock(&lock), EBUSY);
    fails(pthread_rwlock_timedrdlock(&lock, &past), ETIMEDOUT);
    fails(pthread_rwlock_timedwrlock(&lock, &past), ETIMEDOUT);
    fails(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    fails(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    fails(pthread_mutex_trylock(&mutex), EBUSY);
    fails(pthread_mutex_timedlock(&mutex, &past), ETIMEDOUT);
    fails(pthread_mutex_timedlock(&mutex, &wrong), EINVAL);
    fails(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    fails(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &wrong), EINVAL);
    init(&robust, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
    fails(pthread_mutex_unlock(&robust), EPERM);
    return unused;
}

static void read_write(void)
{
    init(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
    assert(pthread_rwlock_wrlock(&lock) == 0 && pthread_mutex_lock(&mutex) == 0);
    another(while_held);
    fails(pthread_rwlock_rdlock(&lock), EDEADLK);
    fails(pthread_rwlock_wrlock(&lock), EDEADLK);
    fails(pthread_rwlock_timedrdlock(&lock, &past), EDEADLK);
    fails(pthread_rwlock_timedwrlock(&lock, &past), EDEADLK);
    fails(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past), EDEADLK);
    fails(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past), EDEADLK);
    fails(pthread_rwlock_timedrdlock(&lock, &wrong), EINVAL);
    fails(pthread_rwlock_timedwrlock(&lock, &wrong), EINVAL);
    fails(pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    fails(pthread_rwlock_clockwrlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    assert(pthread_rwlock_unlock(&lock) == 0 && pthread_mutex_unlock(&mutex) == 0);
}

static void the_rest(void)
{
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    pthread_key_t keys[PTHREAD_KEYS_MAX + 1];
    int made = 0;
    assert(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0 && pthread_spin_lock(&spin) == 0);
    fails(pthread_spin_trylock(&spin), EBUSY);
    assert(pthread_spin_unlock(&spin) == 0 && pthread_spin_destroy(&spin) == 0);
    fails(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
    while (pthread_key_create(&keys[made], NULL) == 0)
        made++;
    fails(pthread_key_create(&keys[made], NULL), EAGAIN);
    while (made > 0)
        assert(pthread_key_delete(keys[--made]) == 0);
    fails(pthread_key_delete(keys[0]), EINVAL);
    fails(pthread_setspecific(PTHREAD_KEYS_MAX, keys), EINVAL);
}

int main(void)
{
    attributes();
    error_checking();
    ceilings();
    owner_is_dead();
    read_write();
    the_rest();
    return 0;
}
