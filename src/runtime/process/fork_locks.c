#define _GNU_SOURCE
#include "runtime/process/fork_locks.h"

#include <pthread.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/alias.h"
#include "runtime/engine/frames.h"
#include "runtime/engine/misuse.h"
#include "runtime/memory/locks_held.h"
#include "runtime/process/child.h"

enum { KIND_ROBUST = 16, KIND_INHERIT = 32 }; /* in __kind of a mutex, as glibc has it */
/* glibc's word of a read-write lock: the writers' phase, a writer inside, readers inside. */
enum { WRITE_PHASE = 1, WRITE_LOCKED = 2, READERS_SHIFT = 3 };

static int kernel_thread(void)
{
    return (int)os_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/* Whether the thread held the lock when the process was forked: nothing has changed that since. */
static bool held_by(thread_id thread, const void *lock)
{
    const struct thread *holder = &ex.threads[thread];
    if (holder->locks.held_count > LOCKS_HELD_MAX)
        return true; /* not all of them are known */
    for (uint32_t i = 0; i < holder->locks.held_count; i++)
        if (alias_same((const void *)the_board->objects[holder->locks.held[i]].address, lock))
            return true;
    return false;
}

/* The thread with that number, less one, if it held the lock. */
static thread_id holder_of(int number, const void *lock)
{
    if (number <= 0 || number > ex.thread_count)
        return NO_THREAD;
    thread_id thread = (thread_id)(number - 1);
    return held_by(thread, lock) ? thread : NO_THREAD;
}

static thread_id other_reader(const void *lock)
{
    for (thread_id thread = 0; thread < ex.thread_count; thread++)
        if (thread != ex.current && ex.threads[thread].locks.held_count > 0 &&
            held_by(thread, lock))
            return thread;
    return NO_THREAD;
}

/* The child's only thread is a copy of the one that called fork, and so holds what that held. libc
 * sets __owner whenever it takes a mutex. */
static thread_id convert_mutex(pthread_mutex_t *mutex)
{
    if (mutex->__data.__owner != 0 || mutex->__data.__kind & KIND_ROBUST)
        return NO_THREAD;
    thread_id holder = holder_of(mutex->__data.__lock, mutex);
    if (holder != ex.current)
        return holder;
    mutex->__data.__owner = kernel_thread();
    mutex->__data.__lock = mutex->__data.__kind & KIND_INHERIT ? mutex->__data.__owner : 1;
    mutex->__data.__nusers = 1;
    return NO_THREAD;
}

/* *blocks: whether only writers have to wait for the thread that holds it. */
static thread_id convert_rwlock(pthread_rwlock_t *lock, bool *only_writers)
{
    thread_id writer = NO_THREAD, reader = NO_THREAD;
    if (lock->__data.__pad3 != 0) {
        lock->__data.__readers += lock->__data.__pad3 << READERS_SHIFT;
        lock->__data.__pad3 = 0;
    }
    if (lock->__data.__readers >> READERS_SHIFT != 0)
        reader = other_reader(lock);
    if (lock->__data.__readers == 0)
        writer = holder_of(lock->__data.__cur_writer, lock);
    if (writer == ex.current) {
        lock->__data.__readers = WRITE_PHASE | WRITE_LOCKED;
        lock->__data.__wrphase_futex = lock->__data.__writers_futex = 1;
        lock->__data.__cur_writer = kernel_thread();
        writer = NO_THREAD;
    }
    *only_writers = writer == NO_THREAD;
    return writer != NO_THREAD ? writer : reader;
}

static thread_id spin_holder(const pthread_spinlock_t *lock)
{
    return holder_of(-*lock, (const void *)lock);
}

/* The thread that the call would wait for and that is not there; NO_THREAD: there is none. */
static thread_id missing_holder(enum child_use use, void *lock)
{
    bool only_writers = false;
    thread_id holder = NO_THREAD;
    switch (use) {
    case CHILD_USES_NOTHING:
        return NO_THREAD;
    case CHILD_LOCKS_MUTEX:
        return convert_mutex(lock);
    case CHILD_TOUCHES_MUTEX:
        convert_mutex(lock);
        return NO_THREAD;
    case CHILD_READS_RWLOCK:
        holder = convert_rwlock(lock, &only_writers);
        return only_writers ? NO_THREAD : holder;
    case CHILD_WRITES_RWLOCK:
        return convert_rwlock(lock, &only_writers);
    case CHILD_TOUCHES_RWLOCK:
        convert_rwlock(lock, &only_writers);
        return NO_THREAD;
    case CHILD_LOCKS_SPIN:
        holder = spin_holder(lock);
        return holder == ex.current ? NO_THREAD : holder;
    }
    UNREACHABLE();
}

/* The step of the thread that forked. Steps up to the fork stay on the board as they are. */
static bool fork_step(thread_id thread, uint32_t *at)
{
    for (uint32_t i = rt.trace.count; i-- > 0;)
        if (rt.trace.steps[i].thread == thread && rt.trace.steps[i].op.kind == OP_PROCESS &&
            !(rt.trace.steps[i].flags & STEP_FAILED)) {
            *at = i;
            return true;
        }
    return false;
}

static _Noreturn void end_blocked(enum child_use use, const void *lock, thread_id holder,
                                  uintptr_t site)
{
    struct blocked_child *blocked = the_board->flight.blocked;
    uint32_t slot = __atomic_fetch_add(&the_board->flight.blocked_count, 1, __ATOMIC_RELAXED);
    uint32_t step = 0;
    if (slot < BLOCKED_MAX) {
        blocked += slot;
        *blocked = (struct blocked_child){.use = use, .holder = holder, .thread = ex.current};
        blocked->address = (uint64_t)lock;
        blocked->site = site;
        if (lock_step(holder, lock, &step)) {
            blocked->lock_site = rt.trace.steps[step].op.site;
            blocked->lock_step = step;
        }
        if (fork_step(ex.current, &step))
            blocked->fork_step = step;
        if (rt.options->detail)
            frames_here(&blocked->frames);
        __atomic_store_n(&blocked->process, rt.process.child_process, __ATOMIC_RELEASE);
    }
    os_exit(1);
}

void child_uses_lock(enum child_use use, void *lock, uintptr_t site)
{
    if (alias_is_shared(lock)) /* the parent goes on to use it */
        return;
    thread_id holder = missing_holder(use, lock);
    if (unlikely(holder != NO_THREAD) && detecting(DETECT_MISUSE))
        end_blocked(use, lock, holder, site);
}

static const char *noun_of(enum child_use use)
{
    if (use == CHILD_LOCKS_MUTEX)
        return MUTEX_NOUN;
    return use == CHILD_LOCKS_SPIN ? SPIN_NOUN : RWLOCK_NOUN;
}

bool child_was_blocked(const struct child *child)
{
    uint32_t count = the_board->flight.blocked_count;
    for (uint32_t i = 0; i < count && i < BLOCKED_MAX; i++) {
        const struct blocked_child *blocked = &the_board->flight.blocked[i];
        if (blocked->process != (uint32_t)child->process)
            continue;
        struct finding *finding =
            misuse_in_child(noun_of(blocked->use), (const void *)blocked->address, blocked->site);
        if (finding == NULL)
            return true;
        finding->thread = blocked->thread;
        finding->places[0].thread = blocked->thread;
        finding->places[0].step = blocked->fork_step;
        finding->places[1] = (struct place){
            .site = blocked->lock_site, .thread = blocked->holder, .step = blocked->lock_step};
        the_board->flight.frames[finding - the_board->flight.findings][0] = blocked->frames;
        return true;
    }
    return false;
}
