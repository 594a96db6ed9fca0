// Priority protocols are accepted and change nothing here: there is no priority among threads. A
// ceiling can be asked for and set, which locks the mutex for a moment. (libc asks for the right to
// change priorities.)
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    int value;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutex_init(&mutex, &attributes) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_destroy(&mutex) == 0);
    assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED) == 0);
    assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
    int most = sched_get_priority_max(SCHED_FIFO);
    assert(pthread_mutexattr_setprioceiling(&attributes, most + 1) == EINVAL);
    assert(pthread_mutexattr_setprioceiling(&attributes, most) == 0);
    assert(pthread_mutex_init(&mutex, &attributes) == 0);
    assert(pthread_mutex_getprioceiling(&mutex, &value) == 0 && value == most);
    assert(pthread_mutex_setprioceiling(&mutex, most + 1, &value) == EINVAL);
    assert(pthread_mutex_setprioceiling(&mutex, most - 1, &value) == 0 && value == most);
    assert(pthread_mutex_getprioceiling(&mutex, &value) == 0 && value == most - 1);
    assert(pthread_mutex_destroy(&mutex) == 0);

    assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutex_init(&mutex, &attributes) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_setprioceiling(&mutex, most - 1, &value) == 0 && value == most);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_destroy(&mutex) == 0);

    assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutex_init(&mutex, &attributes) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_setprioceiling(&mutex, most - 1, &value) == EDEADLK);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
