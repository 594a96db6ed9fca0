// Joins that do not wait: EBUSY or a timeout while the thread runs, its result afterwards. A time or
// clock that is not one is EINVAL, as the manual has it (glibc itself then waits forever).
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

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int result_is_here;
static const struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = 1000000000};

static void *work(void *unused)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return &result_is_here;
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result = NULL;
    pthread_mutex_lock(&gate);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_tryjoin_np(thread, &result) == EBUSY);
    assert(pthread_timedjoin_np(thread, &result, &past) == ETIMEDOUT);
    assert(pthread_timedjoin_np(thread, &result, &wrong) == EINVAL);
    assert(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    assert(pthread_clockjoin_np(thread, &result, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    assert(pthread_tryjoin_np(pthread_self(), &result) == EBUSY);
    assert(pthread_timedjoin_np(pthread_self(), &result, &past) == EDEADLK);
    assert(result == NULL);
    pthread_mutex_unlock(&gate);
    while (pthread_tryjoin_np(thread, &result) == EBUSY)
        ;
    assert(result == &result_is_here);

    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_timedjoin_np(thread, &result, NULL) == 0);
    pthread_create(&thread, NULL, work, NULL);
    struct timespec later = {.tv_sec = time(NULL) + 1};
    int error = pthread_timedjoin_np(thread, &result, &later);
    assert(error == 0 || error == ETIMEDOUT);
    if (error != 0)
        assert(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, NULL) == 0);

    pthread_create(&thread, NULL, nothing, NULL);
    pthread_detach(thread);
    return 0;
}
