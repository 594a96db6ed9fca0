// Results of timed locks; the same as with libc.
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

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static const struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = 1000000000};
static const struct timespec long_ago = {.tv_sec = -1};

static void *while_held(void *unused)
{
    assert(pthread_mutex_timedlock(&normal, &past) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&normal, &long_ago) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&normal, &wrong) == EINVAL);
    assert(pthread_mutex_clocklock(&normal, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&recursive, &past) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&errorcheck, &past) == ETIMEDOUT);
    return unused;
}

int main(void)
{
    assert(pthread_mutex_timedlock(&normal, &past) == 0);
    assert(pthread_mutex_timedlock(&normal, &past) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&recursive, &past) == 0);
    assert(pthread_mutex_clocklock(&recursive, CLOCK_MONOTONIC, &past) == 0);
    assert(pthread_mutex_clocklock(&errorcheck, CLOCK_REALTIME, &past) == 0);
    assert(pthread_mutex_timedlock(&errorcheck, &past) == EDEADLK);
    pthread_t thread;
    pthread_create(&thread, NULL, while_held, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_unlock(&errorcheck) == 0);
    assert(pthread_mutex_unlock(&normal) == 0);
    assert(pthread_mutex_clocklock(&normal, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    return 0;
}
