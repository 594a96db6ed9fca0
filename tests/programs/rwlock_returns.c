// Results of the functions of read-write locks, in one thread and with a second one; the same as
// with libc.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s random -n 50
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = 1000000000};

static void *while_read(void *unused)
{
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_timedrdlock(&lock, &past) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    return unused;
}

static void *while_written(void *unused)
{
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&lock, &past) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    return unused;
}

static void in_thread(void *(*work)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

int main(void)
{
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == EDEADLK);
    assert(pthread_rwlock_timedrdlock(&lock, &past) == EDEADLK);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    in_thread(while_written);
    assert(pthread_rwlock_unlock(&lock) == 0);

    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    in_thread(while_read);
    assert(pthread_rwlock_unlock(&lock) == 0);
    in_thread(while_read);
    assert(pthread_rwlock_unlock(&lock) == 0);

    assert(pthread_rwlock_timedrdlock(&lock, &wrong) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&lock, &wrong) == EINVAL);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &past) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);

    pthread_rwlockattr_t attributes;
    int kind = 0;
    assert(pthread_rwlockattr_init(&attributes) == 0);
    assert(pthread_rwlockattr_setkind_np(&attributes,
                                         PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
    assert(pthread_rwlockattr_getkind_np(&attributes, &kind) == 0);
    assert(kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    assert(pthread_rwlock_init(&lock, &attributes) == 0);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    in_thread(while_written);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
    in_thread(while_read);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
