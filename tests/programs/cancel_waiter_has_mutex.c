// A thread that is cancelled in pthread_cond_wait has the mutex again when its cleanup handlers
// run, and does not swallow the signal that is meant for another waiter: with a request for one and
// a signal for the other, both end.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s random -n 200
// expect: no finding
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, released;

static void unlock(void *unused)
{
    waiting--;
    assert(pthread_mutex_unlock(&mutex) == 0); /* checked: it is ours */
}

static void *wait_for_ever(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    waiting++;
    for (;;)
        pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(0);
    return unused;
}

static void *wait_for_release(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!released)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t cancelled, other;
    pthread_mutexattr_t checked;
    void *result;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &checked);
    pthread_create(&cancelled, NULL, wait_for_ever, NULL);
    pthread_create(&other, NULL, wait_for_release, NULL);
    pthread_cancel(cancelled);
    pthread_join(cancelled, &result);
    assert(result == PTHREAD_CANCELED && waiting == 0);
    pthread_mutex_lock(&mutex);
    released = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(other, NULL);
    return 0;
}
