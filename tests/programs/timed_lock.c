// A timed lock never waits: either it gets the mutex or it is the timeout, and both happen. Against
// a thread that locks and unlocks that makes 12 executions.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 12
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *lock(void *unused)
{
    pthread_mutex_lock(&mutex);
    assert(++inside == 1);
    inside--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *timed(void *unused)
{
    struct timespec later = {.tv_sec = time(NULL) + 1};
    int result = pthread_mutex_timedlock(&mutex, &later);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0) {
        assert(++inside == 1);
        inside--;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, lock, NULL);
    pthread_create(&second, NULL, timed, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
