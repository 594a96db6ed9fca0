// A robust mutex whose owner ended: the next one gets it with EOWNERDEAD, and makes it consistent
// or loses it for all. T1 ends with it as part of its only step. T1 first: its lock comes before or
// after main's create of T2, main's first join before, between or after T2's lock and unlock: 2
// times 3. T2 first: T1 waits for its unlock, and main for both: 1 more.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 7
// run: -s dfs -- lost
// expect: no finding
// expect: executions 7
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int lose;

static void *die(void *unused)
{
    int error = pthread_mutex_lock(&mutex);
    assert(error == 0 || error == EOWNERDEAD);
    return unused;
}

static void *inherit(void *unused)
{
    int error = pthread_mutex_lock(&mutex);
    if (error == 0) { /* first: the other one dies with it later */
        assert(pthread_mutex_consistent(&mutex) == EINVAL);
    } else {
        assert(error == EOWNERDEAD);
        if (!lose)
            assert(pthread_mutex_consistent(&mutex) == 0);
    }
    assert(pthread_mutex_unlock(&mutex) == 0);
    return error == 0 ? unused : &mutex;
}

int main(int argc, char **argv)
{
    pthread_t first, second;
    pthread_mutexattr_t robust;
    void *inherited;
    lose = argc > 1;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    pthread_create(&first, NULL, die, NULL);
    pthread_create(&second, NULL, inherit, NULL);
    pthread_join(first, NULL);
    pthread_join(second, &inherited);
    int error = pthread_mutex_lock(&mutex);
    if (inherited == NULL)
        assert(error == EOWNERDEAD);
    else
        assert(error == (lose ? ENOTRECOVERABLE : 0));
    assert(pthread_mutex_consistent(&mutex) == (inherited == NULL ? 0 : EINVAL));
    assert(pthread_mutex_unlock(&mutex) == (error == ENOTRECOVERABLE ? EPERM : 0));
    assert(pthread_mutex_destroy(&mutex) == 0);
    return argv == NULL;
}
