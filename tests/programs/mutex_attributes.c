// Attributes of mutexes: what POSIX says they return, and mutexes made with them work.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void set_and_get(pthread_mutexattr_t *attributes)
{
    int value;
    assert(pthread_mutexattr_init(attributes) == 0);
    assert(pthread_mutexattr_gettype(attributes, &value) == 0 && value == PTHREAD_MUTEX_DEFAULT);
    assert(pthread_mutexattr_settype(attributes, 99) == EINVAL);
    assert(pthread_mutexattr_settype(attributes, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_gettype(attributes, &value) == 0 && value == PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutexattr_setpshared(attributes, 99) == EINVAL);
    assert(pthread_mutexattr_setpshared(attributes, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_getpshared(attributes, &value) == 0);
    assert(value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_setprotocol(attributes, 99) == EINVAL);
    assert(pthread_mutexattr_setprotocol(attributes, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_getprotocol(attributes, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_setrobust(attributes, 99) == EINVAL);
    assert(pthread_mutexattr_setrobust(attributes, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust(attributes, &value) == 0 && value == PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutexattr_setrobust(attributes, PTHREAD_MUTEX_STALLED) == 0);
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    set_and_get(&attributes);
    assert(pthread_mutex_init(&mutex, &attributes) == 0);
    assert(pthread_mutexattr_destroy(&attributes) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    int ceiling;
    assert(pthread_mutex_getprioceiling(&mutex, &ceiling) == EINVAL); /* it has none */
    assert(pthread_mutex_setprioceiling(&mutex, 1, &ceiling) == EINVAL);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
