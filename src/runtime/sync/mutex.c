/* Mutexes. Their state is kept inside the program's own pthread_mutex_t, so that static
 * initialisers work and putting the program's memory back resets it: __lock is the owner's number
 * plus one, __count how often it holds it. Robust ones that a thread holds are linked, to be found
 * when it ends. */
#include <errno.h>
#include <string.h>

#include "runtime/engine/fiber.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/locks_held.h"
#include "runtime/memory/memory.h"
#include "runtime/progress/await.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/timeout.h"

/* In __kind, as glibc has it; and in its attributes. */
enum { KIND_MASK = 3, ROBUST = 16, INHERIT = 32, PROTECT = 64, SHARED = 128, ELISION = 256 | 512 };
enum {
    KIND_PLAIN = KIND_MASK | INHERIT | PROTECT | SHARED,
    KIND_KNOWN = KIND_PLAIN | ROBUST | ELISION,
    KIND_DESTROYED = -1,
};
enum { ATTRIBUTE_ROBUST = 1 << 30, ATTRIBUTE_PROTOCOL = 28, ATTRIBUTE_CEILING = 12 };
enum { CEILING_LEAST = 1, CEILING_MOST = 99 }; /* the priorities of SCHED_FIFO */

/* Of a robust mutex, in __owner. */
enum { SOUND, OWNER_DIED, LOST };

static int kind_of(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & KIND_MASK;
}

static bool is_mine(const pthread_mutex_t *mutex)
{
    return mutex->__data.__lock == ex.current + 1;
}

/* Otherwise it was destroyed, or is memory that never was a mutex. */
static bool is_mutex(const pthread_mutex_t *mutex)
{
    return !(mutex->__data.__kind & ~KIND_KNOWN);
}

static int fail_without_mutex(const pthread_mutex_t *mutex)
{
    misuse_of_dead(MUTEX_NOUN, mutex, ex.pending[ex.current].site);
    return EINVAL;
}

/* The word is libc's, for robust ones only, and static initialisers set it to zero. */
static uint64_t *mark_of(pthread_mutex_t *mutex)
{
    return (uint64_t *)&mutex->__data.__list.__prev;
}

RETURNS_AS_USUAL bool mutex_can_lock(const void *object, thread_id thread)
{
    const pthread_mutex_t *mutex = object;
    int owner = mutex->__data.__lock;
    if (owner == 0 || unlikely(!is_mutex(mutex)))
        return true;
    return owner == thread + 1 && (kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE ||
                                   kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK);
}

static thread_id holder(int number)
{
    return number > 0 && number <= ex.thread_count ? (thread_id)(number - 1) : NO_THREAD;
}

static void take(pthread_mutex_t *mutex, struct object_state *state, uint32_t count)
{
    mutex->__data.__lock = ex.current + 1;
    mutex->__data.__count = count;
    lock_held(state->number);
    race_acquire(&ex.race, &state->sync);
}

static void release(pthread_mutex_t *mutex, struct object_state *state)
{
    mutex->__data.__lock = 0;
    mutex->__data.__count = 0;
    lock_dropped(state->number);
    race_release(&ex.race, &state->sync);
}

static bool is_robust(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & ROBUST;
}

static void link_robust(pthread_mutex_t *mutex)
{
    mutex->__data.__list.__next = ex.me->sync.robust;
    ex.me->sync.robust = mutex;
}

static void unlink_robust(pthread_mutex_t *mutex)
{
    void **link = &ex.me->sync.robust;
    while (*link != NULL && !alias_same(*link, mutex))
        link = (void **)&((pthread_mutex_t *)*link)->__data.__list.__next;
    if (*link != NULL)
        *link = mutex->__data.__list.__next;
}

static __attribute__((noinline)) int take_unusual(pthread_mutex_t *mutex,
                                                  struct object_state *state, uint32_t count)
{
    if (!is_mutex(mutex))
        return fail_without_mutex(mutex);
    if (!is_robust(mutex)) {
        take(mutex, state, count);
        return 0;
    }
    if (mutex->__data.__owner == LOST)
        return ENOTRECOVERABLE;
    take(mutex, state, count);
    link_robust(mutex);
    return mutex->__data.__owner == OWNER_DIED ? EOWNERDEAD : 0;
}

/* The mutex is free: takes it, if it is not lost forever. */
static inline int take_first(pthread_mutex_t *mutex, struct object_state *state, uint32_t count)
{
    if (unlikely(mutex->__data.__kind & ~KIND_PLAIN))
        return take_unusual(mutex, state, count);
    take(mutex, state, count);
    return 0;
}

static void release_robust(pthread_mutex_t *mutex)
{
    unlink_robust(mutex);
    if (mutex->__data.__owner == OWNER_DIED) /* nobody made it consistent */
        mutex->__data.__owner = LOST;
}

void mutexes_abandon(void)
{
    while (ex.me->sync.robust != NULL) {
        pthread_mutex_t *mutex = ex.me->sync.robust;
        struct object_state *state = object_state(object_number(mutex));
        ex.me->sync.robust = mutex->__data.__list.__next;
        touch(state, OP_ACCESS_WRITE);
        mutex->__data.__owner = OWNER_DIED;
        release(mutex, state);
    }
}

static inline __attribute__((always_inline)) struct object_state *
announce_mutex(enum op_kind kind, pthread_mutex_t *mutex, uintptr_t site)
{
    struct thread *me = ex.me;
    memory_look(mutex, site);
    me->mutex = mutex;
    announce_on(kind, object_number(mutex), site);
    memory_uses(me->object, mutex, site);
    return me->object;
}

void mutex_note_before(const pthread_mutex_t *mutex)
{
    step_before((uint32_t)mutex->__data.__lock);
}

int mutex_lock(pthread_mutex_t *mutex, uintptr_t site)
{
    struct object_state *state = announce_mutex(OP_MUTEX_LOCK, mutex, site);
    mutex_note_before(mutex);
    if (unlikely(is_mine(mutex)) && kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) {
        touch(state, OP_ACCESS_READ);
        return EDEADLK;
    }
    touch(state, OP_ACCESS_WRITE);
    if (!is_mine(mutex)) {
        lock_wanted(state->number, site);
        return take_first(mutex, state, 1);
    }
    mutex->__data.__count++;
    return 0;
}

int mutex_trylock(pthread_mutex_t *mutex, const struct local *local)
{
    uint32_t object = object_number(mutex);
    ex.me->mutex = mutex;
    await_before_read(&mutex->__data.__lock, sizeof(int), object, local);
    announce_on(OP_MUTEX_TRYLOCK, object, local->site);
    memory_uses(ex.me->object, mutex, local->site);
    mutex_note_before(mutex);
    if (mutex->__data.__lock == 0) {
        step_touch(object, OP_ACCESS_WRITE);
        return take_first(mutex, object_state(object), 1);
    }
    if (is_mine(mutex) && kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
        step_touch(object, OP_ACCESS_WRITE);
        mutex->__data.__count++;
        return 0;
    }
    await_after_read();
    step_touch(object, OP_ACCESS_READ);
    step_failed();
    return is_mutex(mutex) ? EBUSY : fail_without_mutex(mutex);
}

int mutex_timedlock(pthread_mutex_t *mutex, struct timeout timeout, uintptr_t site)
{
    if (!timeout_has_clock(&timeout))
        return EINVAL;
    timeout_is_read(&timeout, OP_MUTEX_TIMEDLOCK, site);
    timeout_begin(&timeout);
    struct object_state *state = announce_mutex(OP_MUTEX_TIMEDLOCK, mutex, site);
    mutex_note_before(mutex);
    if (mutex->__data.__lock == 0) {
        touch(state, OP_ACCESS_WRITE);
        return take_first(mutex, state, 1);
    }
    if (is_mine(mutex) && kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
        touch(state, OP_ACCESS_WRITE);
        mutex->__data.__count++;
        return 0;
    }
    touch(state, OP_ACCESS_READ);
    step_failed();
    if (!is_mutex(mutex))
        return fail_without_mutex(mutex);
    if (is_mine(mutex) && kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    return timeout_is_valid(&timeout) ? timeout_step(&timeout) : EINVAL;
}

int mutex_unlock(pthread_mutex_t *mutex, uintptr_t site)
{
    struct object_state *state = announce_mutex(OP_MUTEX_UNLOCK, mutex, site);
    mutex_note_before(mutex);
    bool refused = !is_mine(mutex) &&
                   (!is_mutex(mutex) || kind_of(mutex) != PTHREAD_MUTEX_NORMAL || is_robust(mutex));
    touch(state, refused ? OP_ACCESS_READ : OP_ACCESS_WRITE);
    if (!is_mine(mutex)) {
        if (!is_mutex(mutex))
            return fail_without_mutex(mutex);
        if (refused)
            return EPERM;
        /* undefined for a normal mutex: libc lets it happen, and so do we */
        misuse_with(MUTEX_NOUN,
                    mutex->__data.__lock == 0 ? "is unlocked that nobody holds"
                                              : "is unlocked that another thread holds",
                    mutex, site, holder(mutex->__data.__lock), 0);
        if (mutex->__data.__lock == 0)
            return 0;
    }
    if (mutex->__data.__count > 1) {
        mutex->__data.__count--;
        return 0;
    }
    if (unlikely(is_robust(mutex)))
        release_robust(mutex);
    release(mutex, state);
    return 0;
}

static int kind_from(const pthread_mutexattr_t *attributes, int *ceiling)
{
    unsigned bits; /* as glibc keeps them */
    memcpy(&bits, attributes, sizeof bits);
    unsigned protocol = bits >> ATTRIBUTE_PROTOCOL & 3;
    *ceiling = (int)(bits >> ATTRIBUTE_CEILING & 0xfff);
    if (*ceiling == 0)
        *ceiling = CEILING_LEAST;
    return (int)(bits & KIND_MASK) | (bits & ATTRIBUTE_ROBUST ? ROBUST : 0) |
           (protocol == PTHREAD_PRIO_INHERIT   ? INHERIT
            : protocol == PTHREAD_PRIO_PROTECT ? PROTECT
                                               : 0);
}

int mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes, uintptr_t site)
{
    int ceiling = 0, kind = attributes != NULL ? kind_from(attributes, &ceiling) : 0;
    if ((kind & ROBUST) && (kind & PROTECT))
        return ENOTSUP;
    memory_access(mutex, sizeof *mutex, true, site);
    life_begin(MUTEX_NOUN, mutex, *mark_of(mutex) == MARK_BEGUN, site);
    memset(mutex, 0, sizeof *mutex);
    *mark_of(mutex) = MARK_BEGUN;
    mutex->__data.__kind = kind;
    mutex->__data.__spins = (short)ceiling;
    return 0;
}

int mutex_consistent(pthread_mutex_t *mutex)
{
    if (!is_robust(mutex) || mutex->__data.__owner != OWNER_DIED || !is_mine(mutex))
        return EINVAL;
    mutex->__data.__owner = SOUND;
    return 0;
}

int mutex_ceiling(const pthread_mutex_t *mutex, int *ceiling, uintptr_t site)
{
    if (!(mutex->__data.__kind & PROTECT))
        return EINVAL;
    memory_access(ceiling, sizeof *ceiling, true, site);
    *ceiling = mutex->__data.__spins;
    return 0;
}

int mutex_set_ceiling(pthread_mutex_t *mutex, int ceiling, int *old, uintptr_t site)
{
    if (!(mutex->__data.__kind & PROTECT) || ceiling < CEILING_LEAST || ceiling > CEILING_MOST)
        return EINVAL;
    int error = mutex_lock(mutex, site);
    if (error != 0)
        return error;
    if (old != NULL)
        mutex_ceiling(mutex, old, site);
    mutex->__data.__spins = (short)ceiling;
    return mutex_unlock(mutex, site);
}

/* The thread that waits on a condition variable with this mutex. */
static thread_id waiter_with(const pthread_mutex_t *mutex)
{
    THREADS_EACH(thread, &ex.live)
    if (ex.pending[thread].kind == OP_COND_WAKE && alias_same(ex.threads[thread].mutex, mutex))
        return thread;
    return NO_THREAD;
}

int mutex_destroy(pthread_mutex_t *mutex, uintptr_t site)
{
    memory_access(mutex, sizeof *mutex, true, site);
    if (!is_mutex(mutex)) {
        life_end(MUTEX_NOUN, mutex, true, site);
        return 0; /* as libc says */
    }
    if (mutex->__data.__lock != 0) {
        misuse_with(MUTEX_NOUN, "is destroyed that is locked", mutex, site,
                    holder(mutex->__data.__lock), 0);
        return EBUSY;
    }
    thread_id waiter = waiter_with(mutex);
    if (waiter != NO_THREAD) {
        misuse_with(MUTEX_NOUN, "is destroyed that a waiting thread will lock again", mutex, site,
                    waiter, ex.pending[waiter].site);
        return EBUSY;
    }
    life_end(MUTEX_NOUN, mutex, false, site);
    mutex->__data.__kind = KIND_DESTROYED;
    return 0;
}

int mutex_check_wait(const pthread_mutex_t *mutex, uintptr_t site)
{
    if (likely(is_mine(mutex)))
        return 0;
    if (!is_mutex(mutex))
        return fail_without_mutex(mutex);
    if (kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK || is_robust(mutex))
        return EPERM;
    misuse_with(COND_NOUN, "is waited on with a mutex that the thread does not hold", mutex, site,
                holder(mutex->__data.__lock), 0);
    return kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE ? EPERM : 0;
}

uint32_t mutex_let_go(pthread_mutex_t *mutex)
{
    uint32_t depth = mutex->__data.__count;
    struct object_state *state = object_state(object_number(mutex));
    mutex_note_before(mutex);
    touch(state, OP_ACCESS_WRITE);
    if (is_mine(mutex)) {
        if (is_robust(mutex))
            release_robust(mutex);
        release(mutex, state);
    }
    return depth;
}

int mutex_take_again(pthread_mutex_t *mutex, uint32_t depth)
{
    struct object_state *state = object_state(object_number(mutex));
    memory_uses(state, mutex, ex.pending[ex.current].site);
    mutex_note_before(mutex);
    touch(state, OP_ACCESS_WRITE);
    lock_wanted(state->number, ex.pending[ex.current].site);
    return take_first(mutex, state, depth > 0 ? depth : 1);
}

uint32_t model_before(thread_id pending)
{
    const struct thread *thread = &ex.threads[pending];
    const struct op *op = &ex.pending[pending];
    switch ((enum op_state)op_traits(op->kind)->state) {
    case OP_STATE_NOTHING:
        return 0;
    case OP_STATE_WAKE:
        if (!thread->signalled && !thread->cancel.woken)
            return COND_ASLEEP;
        return (uint32_t)((const pthread_mutex_t *)thread->mutex)->__data.__lock;
    case OP_STATE_FUTEX:
        return thread->signalled || thread->sync.futex.timed ? 0 : COND_ASLEEP;
    case OP_STATE_MUTEX:
        return (uint32_t)((const pthread_mutex_t *)thread->mutex)->__data.__lock;
    case OP_STATE_RWLOCK:
        return rwlock_state(thread->mutex);
    case OP_STATE_SEMAPHORE:
        return *(const uint32_t *)thread->mutex;
    case OP_STATE_SPIN:
        return !spin_can_lock(thread->mutex);
    case OP_STATE_STREAM:
        return stream_owner(thread->mutex) != NO_THREAD;
    case OP_STATE_ONCE:
        return once_state(thread->mutex);
    case OP_STATE_WORD:
        return atomic_word((const void *)the_board->objects[op->object].address, op->size);
    }
    UNREACHABLE();
}

thread_id model_owner(thread_id waiting)
{
    const struct thread *thread = &ex.threads[waiting];
    const struct op *op = &ex.pending[waiting];
    const struct op_traits *traits = op_traits(op->kind);
    if (traits->waits == OP_WAITS_THREAD)
        return (thread_id)op->second;
    if (traits->fails != OP_FAILS_NEVER)
        return NO_THREAD;
    switch ((enum op_state)traits->state) {
    case OP_STATE_MUTEX:
    case OP_STATE_WAKE:
        return holder(((const pthread_mutex_t *)thread->mutex)->__data.__lock);
    case OP_STATE_RWLOCK:
        return holder(((const pthread_rwlock_t *)thread->mutex)->__data.__cur_writer);
    case OP_STATE_SPIN:
        return holder(-*(const pthread_spinlock_t *)thread->mutex);
    case OP_STATE_STREAM:
        return stream_owner(thread->mutex);
    case OP_STATE_NOTHING:
    case OP_STATE_SEMAPHORE:
    case OP_STATE_ONCE:
    case OP_STATE_WORD:
    case OP_STATE_FUTEX:
        return NO_THREAD;
    }
    UNREACHABLE();
}
