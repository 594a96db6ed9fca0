// A timeout can come while another thread holds the mutex and is about to signal: the wait then
// ends with ETIMEDOUT although what it waits for is there. The four executions: the request is
// there before the wait; the timeout comes before the mutex is taken to signal, or while it is
// held; the signal comes first.
// build: gcc -O1
// build: clang -O1
// modes: all preload
// run: -s dfs -k
// expect: finding assertion
// expect: complete == true
// expect: executions 4
// expect: classes 4
// expect: buggy 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static bool has_request;

static void *serve(void *unused)
{
    struct timespec later = {.tv_sec = time(NULL) + 1};
    pthread_mutex_lock(&lock);
    int error = 0;
    while (!has_request && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&arrived, &lock, &later);
    assert(error != ETIMEDOUT || !has_request);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    pthread_mutex_lock(&lock);
    has_request = true;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    pthread_join(server, NULL);
    return 0;
}
