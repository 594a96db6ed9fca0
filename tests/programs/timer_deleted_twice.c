// Two threads delete one timer: the one that comes second is told so, whichever that is.
// run: -s dfs
// expect: finding assertion
// run: -s dpor
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static timer_t timer;

static void *deletes(void *unused)
{
    timer_delete(timer);
    return unused;
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    pthread_t thread;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    pthread_create(&thread, NULL, deletes, NULL);
    int result = timer_delete(timer);
    pthread_join(thread, NULL);
    assert(result == 0);
    return 0;
}
