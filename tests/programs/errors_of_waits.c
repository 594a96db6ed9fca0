// A thread that waits on a condition variable with a robust mutex learns of its owner's death, and that it
// is lost; as with libc.
// modes: all preload
// run: -s dfs -- dead
// expect: no finding
// expect: complete == true
// run: -s dfs -- lost
// expect: no finding
// expect: complete == true
// run: -s dfs -- timed
// expect: no finding
// expect: complete == true
// run: -s dfs -- clock
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct timespec past = {.tv_sec = 1};
static pthread_mutex_t robust;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int sleeps;

static void fails(int result, int error)
{
    if (result != error)
        fprintf(stderr, "expected %s, got %s\n", strerrorname_np(error), strerrorname_np(result));
    assert(result == error);
}

static void *holds_and_ends(void *unused)
{
    assert(pthread_mutex_lock(&robust) == 0);
    return unused;
}

/* A woken waiter takes the mutex from a thread that died with it, or finds it lost. */
static void *waits(void *lost)
{
    assert(pthread_mutex_lock(&robust) == 0);
    sleeps = 1;
    if (lost == NULL) {
        fails(pthread_cond_wait(&cond, &robust), EOWNERDEAD);
        assert(pthread_mutex_consistent(&robust) == 0 && pthread_mutex_unlock(&robust) == 0);
    } else {
        fails(pthread_cond_wait(&cond, &robust), ENOTRECOVERABLE);
    }
    return NULL;
}

static void *polls(void *unused)
{
    int result;
    assert(pthread_mutex_lock(&robust) == 0);
    sleeps = 1;
    while ((result = pthread_cond_timedwait(&cond, &robust, &past)) == ETIMEDOUT)
        sched_yield();
    assert(result == EOWNERDEAD);
    /* it lets go of the mutex as it is: lost */
    fails(pthread_cond_timedwait(&cond, &robust, &past), ENOTRECOVERABLE);
    return unused;
}

static void *polls_by_clock(void *unused)
{
    int result;
    assert(pthread_mutex_lock(&robust) == 0);
    sleeps = 1;
    while ((result = pthread_cond_clockwait(&cond, &robust, CLOCK_MONOTONIC, &past)) == ETIMEDOUT)
        sched_yield();
    assert(result == EOWNERDEAD);
    fails(pthread_cond_clockwait(&cond, &robust, CLOCK_MONOTONIC, &past), ENOTRECOVERABLE);
    return unused;
}

static void *wakes_and_ends(void *unused)
{
    assert(pthread_mutex_lock(&robust) == 0);
    assert(pthread_cond_signal(&cond) == 0);
    return unused;
}

static pthread_t until_it_sleeps(void *(*work)(void *), void *argument)
{
    pthread_t thread;
    sleeps = 0;
    assert(pthread_create(&thread, NULL, work, argument) == 0);
    for (int done = 0; !done; sched_yield()) {
        assert(pthread_mutex_lock(&robust) == 0);
        done = sleeps;
        assert(pthread_mutex_unlock(&robust) == 0);
    }
    return thread;
}

static void another(void *(*work)(void *))
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "dead";
    pthread_mutexattr_t attributes;
    pthread_t waiter;
    assert(pthread_mutexattr_init(&attributes) == 0);
    assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutex_init(&robust, &attributes) == 0);
    if (strcmp(what, "dead") == 0) {
        waiter = until_it_sleeps(waits, NULL);
        another(wakes_and_ends);
    } else if (strcmp(what, "lost") == 0) {
        waiter = until_it_sleeps(waits, &robust);
        another(holds_and_ends);
        fails(pthread_mutex_lock(&robust), EOWNERDEAD);
        assert(pthread_cond_signal(&cond) == 0 && pthread_mutex_unlock(&robust) == 0);
    } else {
        waiter = until_it_sleeps(strcmp(what, "timed") == 0 ? polls : polls_by_clock, NULL);
        another(holds_and_ends);
    }
    assert(pthread_join(waiter, NULL) == 0 && pthread_mutex_destroy(&robust) == 0);
    return 0;
}
