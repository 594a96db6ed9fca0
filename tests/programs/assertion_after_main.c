// Return from main is a step: the other thread may fail before it, with either rule for the end.
// run: --exit end
// expect: finding assertion
// expect: findings[0].message == !"reached"
// expect: findings[0].function == fail
// run: --exit wait
// expect: finding assertion
// run: -s dfs -k --exit end
// expect: finding assertion
// expect: executions 2
// expect: buggy 1
// run: -s dfs -k --exit wait
// expect: finding assertion
// expect: executions 1
// expect: buggy 0
// expect: findings[0].always == true
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *fail(void *unused)
{
    pthread_mutex_lock(&mutex);
    assert(!"reached");
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fail, NULL);
    return 0;
}
