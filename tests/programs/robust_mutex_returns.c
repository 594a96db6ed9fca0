// Robust mutexes in every way of locking, of every type, several at once, and in a wait: one thread
// ends with them, then main asks. No other order is possible: one execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

enum { KINDS = 3 };
static const int kinds[KINDS] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                                 PTHREAD_MUTEX_ERRORCHECK};
static pthread_mutex_t mutexes[KINDS], unlocked, stalled;
static const struct timespec past;

static void *die(void *unused)
{
    for (int i = 0; i < KINDS; i++)
        assert(pthread_mutex_lock(&mutexes[i]) == 0);
    assert(pthread_mutex_lock(&mutexes[1]) == 0); /* twice */
    assert(pthread_mutex_lock(&unlocked) == 0);
    assert(pthread_mutex_unlock(&unlocked) == 0);
    return unused;
}

static void init(pthread_mutex_t *mutex, int kind)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutex_init(mutex, &attributes) == 0);
}

int main(void)
{
    pthread_t thread;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    for (int i = 0; i < KINDS; i++)
        init(&mutexes[i], kinds[i]);
    init(&unlocked, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&stalled, NULL);
    pthread_create(&thread, NULL, die, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&unlocked) == 0);
    assert(pthread_mutex_unlock(&unlocked) == 0);
    assert(pthread_mutex_unlock(&unlocked) == EPERM);

    assert(pthread_mutex_lock(&mutexes[0]) == EOWNERDEAD);
    assert(pthread_mutex_consistent(&mutexes[0]) == 0);
    assert(pthread_mutex_consistent(&mutexes[0]) == EINVAL);
    assert(pthread_cond_timedwait(&cond, &mutexes[0], &past) == ETIMEDOUT);
    assert(pthread_mutex_unlock(&mutexes[0]) == 0);
    assert(pthread_mutex_lock(&mutexes[0]) == 0);
    assert(pthread_mutex_unlock(&mutexes[0]) == 0);

    assert(pthread_mutex_trylock(&mutexes[1]) == EOWNERDEAD);
    assert(pthread_mutex_unlock(&mutexes[1]) == 0);
    assert(pthread_mutex_lock(&mutexes[1]) == ENOTRECOVERABLE);
    assert(pthread_mutex_timedlock(&mutexes[1], &past) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&mutexes[1]) == ENOTRECOVERABLE);
    assert(pthread_mutex_consistent(&mutexes[1]) == EINVAL);

    assert(pthread_mutex_timedlock(&mutexes[2], &past) == EOWNERDEAD);
    assert(pthread_mutex_consistent(&mutexes[2]) == 0);
    assert(pthread_mutex_unlock(&mutexes[2]) == 0);
    for (int i = 0; i < KINDS; i++)
        assert(pthread_mutex_destroy(&mutexes[i]) == 0);
    assert(pthread_mutex_consistent(&stalled) == EINVAL);
    return 0;
}
