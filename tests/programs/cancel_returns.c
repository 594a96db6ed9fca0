// Results of the functions for cancellation; a request to oneself waits for the next cancellation
// point, and does nothing while cancellation is disabled. Steps of T1: the cancel, the type set
// back, the two tests; main can only wait for it, before and after: one execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int reached;

static void states_and_types(void)
{
    int old;
    assert(pthread_setcancelstate(17, &old) == EINVAL);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_DISABLE);
    assert(pthread_setcanceltype(17, &old) == EINVAL);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    assert(old == PTHREAD_CANCEL_ASYNCHRONOUS);
}

static void *work(void *unused)
{
    states_and_types();
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL) == 0);
    assert(pthread_cancel(pthread_self()) == 0);
    pthread_testcancel();
    reached = 1;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL) == 0);
    reached = 2; /* deferred: enabling it is no cancellation point */
    pthread_testcancel();
    reached = 3;
    return unused;
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_join(thread, &result) == 0);
    assert(result == PTHREAD_CANCELED && reached == 2);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, &result);
    assert(result == NULL);
    return 0;
}
