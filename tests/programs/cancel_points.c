// A thread that waits at a cancellation point is cancelled there, and its cleanup handler runs. It
// comes to the point as part of its creation and cannot go on; then main's cancel, the cancelled
// thread's end and main's join follow each other: one execution. Where the point can be passed as
// well (sleep, timed waits), there are those in which it is passed before the cancel, too: two.
// modes: all preload
// run: -s dfs -- sem
// expect: no finding
// expect: executions 1
// run: -s dfs -- join
// expect: no finding
// expect: executions 1
// run: -s dfs -- sigwait
// expect: no finding
// expect: executions 1
// run: -s dfs -- sleep
// expect: no finding
// expect: executions 2
// run: -s dfs -- nanosleep
// expect: no finding
// expect: executions 2
// run: -s dfs -- semtimed
// expect: no finding
// expect: executions 2
// run: -s dfs -- poll
// expect: no finding
// expect: executions 2
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *point;
static sem_t semaphore;
static pthread_t first;
static int cleaned, passed;

static void clean(void *unused)
{
    cleaned++;
}

static void wait_there(void)
{
    struct timespec second = {.tv_sec = 1};
    sigset_t set;
    sigemptyset(&set);
    if (strcmp(point, "sem") == 0)
        sem_wait(&semaphore);
    else if (strcmp(point, "join") == 0)
        pthread_join(first, NULL);
    else if (strcmp(point, "sigwait") == 0)
        sigwaitinfo(&set, NULL);
    else if (strcmp(point, "sleep") == 0)
        sleep(1);
    else if (strcmp(point, "nanosleep") == 0)
        nanosleep(&second, NULL);
    else if (strcmp(point, "semtimed") == 0)
        sem_timedwait(&semaphore, &second);
    else if (strcmp(point, "poll") == 0)
        poll(NULL, 0, 1000);
}

static void *work(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    wait_there();
    passed = 1;
    pthread_cleanup_pop(0);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *result;
    point = argc > 1 ? argv[1] : "sem";
    first = pthread_self();
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_cancel(thread) == 0);
    pthread_join(thread, &result);
    assert(result == (passed ? NULL : PTHREAD_CANCELED));
    assert(cleaned == !passed);
    return 0;
}
