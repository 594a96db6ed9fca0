// A thread that was joined, or that was detached and has ended, has no handle any more, and a deleted key
// is none: to use them is undefined, and found. What is returned is what libc returns where it can tell.
// modes: all
// run: -s dfs -k -- joined
// expect: finding misuse
// expect: executions 1
// expect: output a thread is signalled whose handle means nothing any more
// expect: output a thread is cancelled whose handle means nothing any more
// expect: output also involved: T1
// The thread's one step comes before main's detach, before its yield, or right after that, because main gives
// way: in the first two it has ended when main signals it.
// run: -s dfs -k -- detached
// expect: finding misuse
// expect: executions 3
// expect: buggy 2
// run: -s dfs -k -- key
// expect: finding misuse
// expect: executions 1
// expect: output a key is used after it was deleted
// run: -s dfs -- right
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

static void *nothing(void *unused)
{
    return unused;
}

static void *lock(void *unused)
{
    pthread_mutex_lock(&mutex);
    return unused;
}

static void joined(void)
{
    pthread_t thread;
    union sigval value = {0};
    assert(pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0);
    assert(pthread_kill(thread, 0) == ESRCH && pthread_sigqueue(thread, SIGUSR1, value) == ESRCH);
    assert(pthread_cancel(thread) == ESRCH);
}

static void detached(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, lock, NULL) == 0 && pthread_detach(thread) == 0);
    sched_yield();
    pthread_kill(thread, 0);
}

static void *use_key(void *unused)
{
    assert(pthread_getspecific(key) == NULL && pthread_setspecific(key, unused) == EINVAL);
    assert(tss_get(key) == NULL && tss_set(key, unused) == thrd_error);
    return unused;
}

static void delete_key(void)
{
    pthread_t thread;
    assert(pthread_key_create(&key, NULL) == 0 && pthread_setspecific(key, &key) == 0);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_create(&thread, NULL, use_key, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static void right(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, nothing, NULL) == 0);
    assert(pthread_kill(thread, 0) == 0 && pthread_cancel(thread) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_key_create(&key, NULL) == 0 && pthread_key_delete(key) == 0);
    assert(pthread_key_create(&key, NULL) == 0 && pthread_setspecific(key, &key) == 0);
    assert(pthread_getspecific(key) == &key && pthread_key_delete(key) == 0);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    if (strcmp(what, "joined") == 0)
        joined();
    else if (strcmp(what, "detached") == 0)
        detached();
    else if (strcmp(what, "key") == 0)
        delete_key();
    else
        right();
    return 0;
}
