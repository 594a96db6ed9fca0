/* Names and processors of threads. The carriers cannot keep them apart (fibers share one kernel
 * thread), and reset would not undo them; so they are kept here and the kernel is not told. */
#include <errno.h>
#include <string.h>

#include "runtime/interpose/interpose.h"

enum { PROCESSOR_BYTES = 128 };

int placement_set_name(pthread_t handle, const char *name)
{
    thread_id thread = thread_of(handle);
    size_t size = strlen(name) + 1;
    if (thread == NO_THREAD)
        return ESRCH;
    if (size > THREAD_NAME_SIZE)
        return ERANGE;
    memcpy(ex.threads[thread].label, name, size);
    return 0;
}

bool placement_has_name(pthread_t handle)
{
    thread_id thread = thread_of(handle);
    return thread != NO_THREAD && ex.threads[thread].label[0] != 0;
}

int placement_get_name(pthread_t handle, char *name, size_t size)
{
    if (size < THREAD_NAME_SIZE)
        return ERANGE;
    memcpy(name, ex.threads[thread_of(handle)].label, THREAD_NAME_SIZE);
    return 0;
}

/* What is asked for and is there: as the kernel, none at all is an error. */
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
    thread->processors = execution_take(PROCESSOR_BYTES); /* children may share the old one */
    memcpy(thread->processors, both, PROCESSOR_BYTES);
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
    if (error == 0 && thread != NO_THREAD && ex.threads[thread].processors != NULL)
        memcpy(set, ex.threads[thread].processors, size < PROCESSOR_BYTES ? size : PROCESSOR_BYTES);
    return error;
}
