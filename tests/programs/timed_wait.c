// A timed wait comes back by signal or by timeout: the signal comes before the wait and is lost, in
// time, or too late; or the timeout comes while the mutex is held to send it. These are the 4
// executions, each of its own class.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 4
// expect: classes 4
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *wait_for_it(void *unused)
{
    struct timespec later = {.tv_sec = time(NULL) + 1};
    pthread_mutex_lock(&mutex);
    waiting = 1;
    int result = pthread_cond_timedwait(&changed, &mutex, &later);
    assert(result == ETIMEDOUT || (result == 0 && waiting == 2));
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_mutex_lock(&mutex);
    if (waiting == 1)
        waiting = 2;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
