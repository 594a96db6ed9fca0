// Results of timed waits, by either clock; the same as with libc. The mutex is held again after a
// timeout.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t deep = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static const struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = -1};

int main(void)
{
    assert(pthread_cond_timedwait(&cond, &mutex, &past) == EPERM);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_cond_timedwait(&cond, &mutex, &past) == ETIMEDOUT);
    assert(pthread_cond_timedwait(&cond, &mutex, &wrong) == EINVAL);
    assert(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    assert(pthread_cond_clockwait(&cond, &mutex, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_cond_destroy(&cond) == 0);

    pthread_condattr_t attributes;
    clockid_t clock;
    assert(pthread_condattr_init(&attributes) == 0);
    assert(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&attributes, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_cond_init(&cond, &attributes) == 0);
    assert(pthread_mutex_lock(&deep) == 0);
    assert(pthread_mutex_lock(&deep) == 0);
    assert(pthread_cond_timedwait(&cond, &deep, &past) == ETIMEDOUT);
    assert(pthread_mutex_unlock(&deep) == 0);
    assert(pthread_mutex_unlock(&deep) == 0);
    assert(pthread_mutex_unlock(&deep) == EPERM);
    return 0;
}
