// Asynchronous cancellation strikes at any operation, here before the lock, before the unlock or
// not at all (before the type is set back it is the same as at the unlock's end): main's cancel
// comes before one of T1's operations lock, unlock, set back, or after all of them: 4 executions.
// The type is only set back where asynchronous cancellation can strike, so this is a step.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 4
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused)
{
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == (done ? NULL : PTHREAD_CANCELED));
    return 0;
}
