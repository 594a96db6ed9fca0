#include "runtime/file/stream.h"

#include <stdio.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/object.h"
#include "runtime/engine/real.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/descriptor.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/still.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/api.h"
#include "runtime/memory/called.h"
#include "runtime/memory/shared_state.h"
#include "runtime/progress/await.h"

enum {
    BUFFER_OF_USER = 1,       /* _IO_USER_BUF */
    UNBUFFERED = 2,           /* _IO_UNBUFFERED */
    NEVER_READ = 4,           /* _IO_NO_READS */
    LOCKED_BY_CALLER = 0x8000 /* _IO_USER_LOCK: libc's functions leave the lock alone */
};

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

static bool is_kernels(const FILE *stream)
{
    return stream->_fileno >= 0 && file_of(stream->_fileno) == NULL;
}

/* The program only writes to such a stream, through a buffer of libc's own. */
static bool only_goes_out(const FILE *stream)
{
    bool given = stream->_flags & BUFFER_OF_USER && !(stream->_flags & UNBUFFERED);
    return stream->_flags & NEVER_READ && !given && stream->_mode <= 0;
}

static void hide(struct still *still, FILE *stream)
{
    char **all[] = {&stream->_IO_read_ptr,   &stream->_IO_read_end,  &stream->_IO_read_base,
                    &stream->_IO_write_base, &stream->_IO_write_ptr, &stream->_IO_write_end};
    for (uint32_t i = 0; i < sizeof all / sizeof all[0]; i++)
        still_pointer(still, all[i]);
    still_hide(still, &stream->_offset, sizeof stream->_offset, 0);
    if (stream->_IO_buf_base != NULL)
        still_hide_bytes(still, stream->_IO_buf_base,
                         (size_t)(stream->_IO_buf_end - stream->_IO_buf_base));
}

/* Functions without locks (getc_unlocked) are not seen, but where they have come to is. */
uint64_t streams_still(struct still *still)
{
    uint64_t hash = 0;
    for (FILE *each = stream_first(); each != NULL; each = each->_chain)
        if (is_kernels(each) && only_goes_out(each))
            hide(still, each);
        else if (is_kernels(each))
            hash = mix(hash, (uint64_t)os_call(SYS_lseek, each->_fileno, 0, SEEK_CUR, 0, 0, 0));
    return hash;
}

static void enter(void *stream, uintptr_t site)
{
    const FILE *file = stream;
    await_wrote_out(&ex.me->await);
    if (is_kernels(file) && !only_goes_out(file))
        watch_outside();
    if (file->_flags & LOCKED_BY_CALLER)
        return;
    bool compared =
        rt.options->output != OUTPUT_ANY; /* then the order of what is printed matters */
    bool ours = file_of(((FILE *)stream)->_fileno) != NULL; /* what other threads get matters */
    if (likely(!compared && !ours) && likely(stream_can_lock(stream, ex.current)))
        return;
    uint32_t object = announce_stream(OP_STREAM_LOCK, stream, site);
    take(object);
    if (ours) /* libc gives the lock back by itself, after the last step of the function */
        race_release(&ex.race, &object_state(object)->sync);
}

void stream_used(int descriptor)
{
    for (FILE *each = stream_first(); each != NULL; each = each->_chain)
        if (each->_fileno == descriptor && stream_owner(each) == ex.current) {
            uint32_t object = object_number(each);
            step_touch(object, OP_ACCESS_WRITE); /* the lock may be free after this step */
            race_release(&ex.race, &object_state(object)->sync);
        }
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
