// Results of the functions of threads, where one outcome is possible; the same as with libc.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s random -n 5
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <threads.h>

static int value;

static void *give(void *argument)
{
    return argument;
}

static void *leave(void *argument)
{
    pthread_exit(argument);
}

static void *join_self(void *unused)
{
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    assert(thrd_join(thrd_current(), NULL) == thrd_error);
    return unused;
}

static void *name_self(void *unused)
{
    char name[16];
    assert(pthread_setname_np(pthread_self(), "fifteen letters") == 0);
    assert(pthread_setname_np(pthread_self(), "sixteen  letters") == ERANGE);
    assert(pthread_getname_np(pthread_self(), name, 15) == ERANGE);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    assert(strcmp(name, "fifteen letters") == 0);
    return unused;
}

static void *place_self(void *unused)
{
    cpu_set_t none, all, one;
    int first = 0;
    CPU_ZERO(&none);
    CPU_ZERO(&one);
    assert(pthread_getaffinity_np(pthread_self(), sizeof all, &all) == 0);
    assert(pthread_getaffinity_np(pthread_self(), 1, &all) == EINVAL);
    assert(pthread_setaffinity_np(pthread_self(), sizeof none, &none) == EINVAL);
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_SET(first, &one);
    assert(pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0);
    assert(pthread_getaffinity_np(pthread_self(), sizeof all, &all) == 0);
    assert(CPU_EQUAL(&all, &one));
    return unused;
}

static void *result_of(void *(*start)(void *))
{
    pthread_t thread;
    void *result = NULL;
    assert(pthread_create(&thread, NULL, start, &value) == 0);
    assert(!pthread_equal(thread, pthread_self()));
    assert(pthread_join(thread, &result) == 0);
    return result;
}

static void *wait_here(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

static void asked_while_it_waits(void)
{
    pthread_t thread;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    int state;
    assert(pthread_attr_init(&attributes) == 0);
    assert(pthread_attr_setdetachstate(&attributes, 99) == EINVAL);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_create(&thread, &attributes, wait_here, &mutex) == 0);
    assert(pthread_attr_destroy(&attributes) == 0);
    assert(pthread_getattr_np(thread, &attributes) == 0);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0);
    assert(state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_destroy(&attributes) == 0);
    assert(pthread_kill(thread, 0) == 0);
    assert(pthread_kill(thread, 65) == EINVAL);
    assert(pthread_sigqueue(thread, 65, (union sigval){.sival_int = 1}) == EINVAL);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_join(thread, NULL) == 0);
}

static void cancellation(void)
{
    int old;
    assert(pthread_setcancelstate(99, &old) == EINVAL);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_DISABLE);
    assert(pthread_setcanceltype(99, &old) == EINVAL);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    pthread_testcancel();
}

int main(void)
{
    assert(result_of(give) == &value);
    assert(result_of(leave) == &value);
    assert(result_of(join_self) == &value);
    assert(result_of(name_self) == &value);
    assert(result_of(place_self) == &value);
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    assert(pthread_equal(pthread_self(), pthread_self()));
    assert(thrd_equal(thrd_current(), thrd_current()));
    assert(sched_yield() == 0);
    asked_while_it_waits();
    cancellation();
    return 0;
}
