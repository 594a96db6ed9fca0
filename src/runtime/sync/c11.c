/* C11 threads: thin layers over those of POSIX. In glibc thrd_t is pthread_t, and mtx_t, cnd_t and
 * once_flag hold what pthread_mutex_t, pthread_cond_t and pthread_once_t hold. */
#include <errno.h>
#include <threads.h>

#include "runtime/memory/called.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/time_calls.h"

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "one layout");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "one layout");
_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "one layout");

int c11_result(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

int c11_create(pthread_t *handle, int (*start)(void *), void *argument)
{
    /* the result's lower half is what such a function returns */
    void *(*wider)(void *) = (void *(*)(void *))(void *)start;
    return c11_result(model_pthread_create(handle, NULL, wider, argument));
}

int c11_join(pthread_t handle, int *result, uintptr_t site)
{
    void *wider;
    int error = thread_join(handle, result != NULL ? &wider : NULL, site);
    if (error == 0 && result != NULL) {
        called_writes_in_step(result, sizeof *result, site);
        *result = (int)(intptr_t)wider;
    }
    return c11_result(error);
}

_Noreturn void c11_exit(int result)
{
    model_pthread_exit((void *)(intptr_t)result);
}

int c11_sleep(const struct timespec *time, struct timespec *left, uintptr_t site)
{
    int error = sleep_on_clock(CLOCK_REALTIME, 0, time, left, site);
    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

int c11_mutex_init(pthread_mutex_t *mutex, int type, uintptr_t site)
{
    mutex_init(mutex, NULL, site);
    mutex->__data.__kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return thrd_success;
}
