/* Names, processors and niceness of threads. The carriers cannot keep them apart (fibers share one
 * kernel thread), and reset would not undo them; so they are kept here and the kernel is not told.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/upper.h"
#include "runtime/process/process_calls.h"
#include "runtime/snapshot/process_state.h"
#include "runtime/sync/sync_calls.h"

enum { PROCESSOR_BYTES = 128 };

int placement_set_name(pthread_t handle, const char *name)
{
    thread_id thread = thread_of(handle);
    size_t size = strlen(name) + 1;
    if (thread == NO_THREAD)
        return ESRCH;
    if (size > THREAD_NAME_SIZE)
        return ERANGE;
    memcpy(ex.threads[thread].process.label, name, size);
    return 0;
}

bool placement_has_name(pthread_t handle)
{
    thread_id thread = thread_of(handle);
    return thread != NO_THREAD && ex.threads[thread].process.label[0] != 0;
}

int placement_get_name(pthread_t handle, char *name, size_t size)
{
    if (size < THREAD_NAME_SIZE)
        return ERANGE;
    memcpy(name, ex.threads[thread_of(handle)].process.label, THREAD_NAME_SIZE);
    return 0;
}

/* Keeps the processors asked for that exist: as in the kernel, none at all is an error. */
static int keep(struct thread *thread, const uint8_t *set, size_t size, const uint8_t *there)
{
    uint8_t both[PROCESSOR_BYTES] = {0};
    uint8_t any = 0;
    for (size_t i = 0; i < size && i < PROCESSOR_BYTES; i++) {
        both[i] = set[i] & there[i];
        any |= both[i];
    }
    if (any == 0)
        return EINVAL;
    watch_outside(); /* they are no part of a state */
    thread->process.processors =
        execution_take(PROCESSOR_BYTES); /* children may share the old one */
    memcpy(thread->process.processors, both, PROCESSOR_BYTES);
    return 0;
}

int placement_set_processors(pthread_t handle, size_t size, const cpu_set_t *set,
                             int (*get)(pthread_t, size_t, cpu_set_t *))
{
    cpu_set_t there = {0};
    thread_id thread = thread_of(handle);
    if (thread == NO_THREAD)
        return ESRCH;
    int error = get(pthread_self(), sizeof there, &there);
    if (error != 0)
        return error;
    return keep(&ex.threads[thread], (const uint8_t *)set, size, (const uint8_t *)&there);
}

int placement_get_processors(pthread_t handle, size_t size, cpu_set_t *set,
                             int (*get)(pthread_t, size_t, cpu_set_t *))
{
    thread_id thread = thread_of(handle);
    int error = get(handle, size, set); /* it knows which sizes are too small */
    if (error == 0 && thread != NO_THREAD && ex.threads[thread].process.processors != NULL)
        memcpy(set, ex.threads[thread].process.processors,
               size < PROCESSOR_BYTES ? size : PROCESSOR_BYTES);
    return error;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* 0 is the calling thread; NO_THREAD: none of the program's. */
static thread_id thread_asked(int id)
{
    return id == 0 ? ex.current : identity_thread(id);
}

int placement_get_affinity(int id, size_t size, cpu_set_t *set,
                           int (*get)(int, size_t, cpu_set_t *))
{
    thread_id thread = thread_asked(id);
    int result = get(identity_asked(id), size, set);
    if (result >= 0 && thread != NO_THREAD && ex.threads[thread].process.processors != NULL)
        memcpy(set, ex.threads[thread].process.processors,
               size < PROCESSOR_BYTES ? size : PROCESSOR_BYTES);
    return result;
}

int placement_set_affinity(int id, size_t size, const cpu_set_t *set,
                           int (*get)(int, size_t, cpu_set_t *))
{
    cpu_set_t there = {0};
    thread_id thread = thread_asked(id);
    if (thread == NO_THREAD)
        return fail(ESRCH);
    if (get(0, sizeof there, &there) < 0)
        return -1;
    int error = keep(&ex.threads[thread], (const uint8_t *)set, size, (const uint8_t *)&there);
    return error != 0 ? fail(error) : 0;
}

static int kernel_niceness(void)
{
    return 20 - (int)os_call(SYS_getpriority, PRIO_PROCESS, 0, 0, 0, 0, 0);
}

static bool may_raise(int value)
{
    struct rlimit limit = {0};
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {0};
    os_call(SYS_prlimit64, 0, RLIMIT_NICE, 0, (long)&limit, 0, 0);
    os_call(SYS_capget, (long)&head, (long)data, 0, 0, 0, 0);
    return data[0].effective >> CAP_SYS_NICE & 1 || (int64_t)limit.rlim_cur >= 20 - value;
}

static int set_niceness(thread_id thread, int value, int refused)
{
    watch_outside(); /* it is no part of a state */
    int start = kernel_niceness(), now = start + ex.threads[thread].process.niceness;
    value = value > 19 ? 19 : value < -20 ? -20 : value;
    if (value < now && !may_raise(value))
        return fail(refused);
    ex.threads[thread].process.niceness = (int8_t)(value - start);
    return 0;
}

int placement_nice(int change)
{
    int start = kernel_niceness(), now = start + ex.me->process.niceness;
    change = change > 40 ? 40 : change < -40 ? -40 : change;
    if (set_niceness(ex.current, now + change, EPERM) != 0)
        return -1;
    return start + ex.me->process.niceness;
}

int placement_get_priority(int which, int who, int (*real)(int, unsigned))
{
    thread_id thread = which == PRIO_PROCESS ? thread_asked(who) : NO_THREAD;
    return thread == NO_THREAD ? real(which, (unsigned)identity_asked(who))
                               : kernel_niceness() + ex.threads[thread].process.niceness;
}

int placement_set_priority(int which, int who, int value, int (*real)(int, unsigned, int),
                           uintptr_t site)
{
    thread_id thread = which == PRIO_PROCESS ? thread_asked(who) : NO_THREAD;
    if (thread != NO_THREAD)
        return set_niceness(thread, value, EACCES);
    process_changes(PROCESS_SCHEDULING, "setpriority", site);
    return real(which, (unsigned)who, value);
}
