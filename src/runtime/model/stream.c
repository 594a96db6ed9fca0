#include "runtime/model/stream.h"

#include <stdio.h>

#include "runtime/heap/heap.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/called.h"
#include "runtime/memory/outside.h"
#include "runtime/model/api.h"
#include "runtime/model/descriptor.h"
#include "runtime/model/shared_state.h"
#include "runtime/object.h"
#include "runtime/real.h"
#include "runtime/scheduler.h"

enum { LOCKED_BY_CALLER = 0x8000 }; /* _IO_USER_LOCK: libc's functions leave the lock alone */

struct stream_lock { /* _IO_lock_t */
    int lock, count;
    void *owner; /* its thread pointer; NULL: free */
};

static struct stream_lock *lock_of(const void *stream)
{
    return ((const FILE *)stream)->_lock;
}

bool stream_can_lock(const void *stream, thread_id thread)
{
    const struct stream_lock *lock = lock_of(stream);
    return lock == NULL || lock->owner == NULL || lock->owner == (void *)ex.threads[thread].fs;
}

thread_id stream_owner(const void *stream)
{
    const struct stream_lock *lock = lock_of(stream);
    for (thread_id i = 0; lock != NULL && i < ex.thread_count; i++)
        if (lock->owner == (void *)ex.threads[i].fs)
            return i;
    return NO_THREAD;
}

void *stream_held(void)
{
    for (FILE *each = stream_first(); each != NULL; each = each->_chain)
        if (stream_owner(each) == ex.current)
            return each;
    return NULL;
}

void *stream_standard(int number)
{
    return number == 0 ? stdin : number == 1 ? stdout : stderr;
}

/* libc's names for the standard streams are not what people call them. */
static void name_standard(void *stream)
{
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    for (int i = 0; i < 3; i++)
        if (stream == stream_standard(i))
            api_name(stream, sizeof(FILE), names[i]);
}

/* Each function reads the flags of its stream; fclose frees that, if it was opened since. */
static void reads_flags(const void *stream, uintptr_t site)
{
    if (heap_is_near(stream))
        called_reads(&((const FILE *)stream)->_flags, sizeof(int), site);
}

static uint32_t announce_stream(enum op_kind kind, void *stream, uintptr_t site)
{
    uint32_t object = object_number(stream);
    if (unlikely(rt.options->detail))
        name_standard(stream);
    ex.me->mutex = stream;
    announce_on(kind, object, site);
    step_before(stream_owner(stream) != NO_THREAD);
    return object;
}

static void take(uint32_t object)
{
    step_touch(object, OP_ACCESS_WRITE);
    race_acquire(&ex.race, &object_state(object)->sync);
}

void stream_lock(void *stream, uintptr_t site)
{
    reads_flags(stream, site);
    take(announce_stream(OP_STREAM_LOCK, stream, site));
    real_flockfile(stream);
}

int stream_trylock(void *stream, const struct local *local)
{
    reads_flags(stream, local->site);
    const struct stream_lock *lock = lock_of(stream);
    await_before_read(&lock->owner, sizeof lock->owner, object_number(stream), local);
    uint32_t object = announce_stream(OP_STREAM_TRYLOCK, stream, local->site);
    if (stream_can_lock(stream, ex.current)) {
        take(object);
        return real_ftrylockfile(stream);
    }
    await_after_read();
    step_touch(object, OP_ACCESS_READ);
    step_failed();
    return -1;
}

void stream_unlock(void *stream, uintptr_t site)
{
    reads_flags(stream, site);
    uint32_t object = announce_stream(OP_STREAM_UNLOCK, stream, site);
    step_touch(object, OP_ACCESS_WRITE);
    race_release(&ex.race, &object_state(object)->sync);
    real_funlockfile(stream);
}

void *stream_first(void)
{
    return real_streams == NULL ? NULL : *real_streams;
}

static void enter(void *stream, uintptr_t site)
{
    outside_wrote(&ex.me->await,
                  outside_uses_stream(stream, OUTSIDE_WRITES)); /* what it does is seen outside */
    if (((FILE *)stream)->_flags & LOCKED_BY_CALLER)
        return;
    bool compared =
        rt.options->output != OUTPUT_ANY; /* then the order of what is printed matters */
    if (likely(!compared) && likely(stream_can_lock(stream, ex.current)))
        return;
    take(announce_stream(OP_STREAM_LOCK, stream, site));
}

void stream_enter(void *stream, uintptr_t site)
{
    if (unlikely(stream ==
                 NULL)) { /* libc goes through its list: none of them is closed meanwhile */
        for (FILE *each = stream_first(); each != NULL; each = each->_chain)
            enter(each, site);
        return;
    }
    bool waits = rt.options->output != OUTPUT_ANY || !stream_can_lock(stream, ex.current);
    if (!waits) /* all that follows belongs to that step */
        shared_state_of_stream(stream, site);
    reads_flags(stream, site);
    enter(stream, site);
    if (waits)
        shared_state_of_stream(stream, site);
}

void stream_close(void *stream, uintptr_t site)
{
    stream_enter(stream, site);
    int descriptor = stream == NULL ? -1 : ((const FILE *)stream)->_fileno;
    if (file_of(descriptor) == NULL) /* one of ours says it itself */
        descriptor_closes(descriptor, site);
}

void streams_open_up(void)
{
    for (FILE *each = stream_first(); each != NULL; each = each->_chain)
        if (!stream_can_lock(each, ex.current))
            *lock_of(each) = (struct stream_lock){0};
}
