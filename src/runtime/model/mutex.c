/* Mutexes. Their state is kept inside the program's own pthread_mutex_t, so that static
 * initialisers work and putting the program's memory back resets it: __lock is the owner's number
 * plus one, __count how often it holds it. */
#include <errno.h>
#include <string.h>

#include "runtime/interpose/interpose.h"
#include "runtime/memory/memory.h"
#include "runtime/object.h"
#include "runtime/refuse.h"
#include "runtime/scheduler.h"

enum { KIND_MASK = 3 };

static int kind_of(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & KIND_MASK;
}

static bool is_mine(const pthread_mutex_t *mutex)
{
    return mutex->__data.__lock == ex.current + 1;
}

bool mutex_can_lock(const void *object, thread_id thread)
{
    const pthread_mutex_t *mutex = object;
    int owner = mutex->__data.__lock;
    if (owner == 0)
        return true;
    return owner == thread + 1 && (kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE ||
                                   kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK);
}

static void take(pthread_mutex_t *mutex, struct object_state *state, uint32_t count)
{
    mutex->__data.__lock = ex.current + 1;
    mutex->__data.__count = count;
    race_acquire(&ex.race, &state->sync);
}

static void release(pthread_mutex_t *mutex, struct object_state *state)
{
    mutex->__data.__lock = 0;
    mutex->__data.__count = 0;
    race_release(&ex.race, &state->sync);
}

static struct object_state *announce_mutex(enum op_kind kind, pthread_mutex_t *mutex,
                                           uintptr_t site)
{
    struct thread *me = ex.me;
    me->mutex = mutex;
    announce_on(kind, object_number(mutex), site);
    return me->object;
}

int mutex_lock(pthread_mutex_t *mutex, uintptr_t site)
{
    struct object_state *state = announce_mutex(OP_MUTEX_LOCK, mutex, site);
    touch(state, OP_ACCESS_WRITE);
    if (!is_mine(mutex)) {
        take(mutex, state, 1);
        return 0;
    }
    if (kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    mutex->__data.__count++;
    return 0;
}

int mutex_trylock(pthread_mutex_t *mutex, const struct local *local)
{
    uint32_t object = object_number(mutex);
    ex.me->mutex = mutex;
    await_before_read(&mutex->__data.__lock, sizeof(int), object, local);
    announce_on(OP_MUTEX_TRYLOCK, object, local->site);
    if (mutex->__data.__lock == 0) {
        step_touch(object, OP_ACCESS_WRITE);
        take(mutex, object_state(object), 1);
        return 0;
    }
    if (is_mine(mutex) && kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
        step_touch(object, OP_ACCESS_WRITE);
        mutex->__data.__count++;
        return 0;
    }
    await_after_read();
    step_touch(object, OP_ACCESS_READ);
    step_failed();
    return EBUSY;
}

int mutex_timedlock(pthread_mutex_t *mutex, struct timeout timeout, uintptr_t site)
{
    if (!timeout_has_clock(&timeout))
        return EINVAL;
    struct object_state *state = announce_mutex(OP_MUTEX_TIMEDLOCK, mutex, site);
    if (mutex->__data.__lock == 0) {
        touch(state, OP_ACCESS_WRITE);
        take(mutex, state, 1);
        return 0;
    }
    if (is_mine(mutex) && kind_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
        touch(state, OP_ACCESS_WRITE);
        mutex->__data.__count++;
        return 0;
    }
    touch(state, OP_ACCESS_READ);
    step_failed();
    if (is_mine(mutex) && kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    return timeout_is_valid(&timeout) ? timeout_step(&timeout) : EINVAL;
}

int mutex_unlock(pthread_mutex_t *mutex, uintptr_t site)
{
    struct object_state *state = announce_mutex(OP_MUTEX_UNLOCK, mutex, site);
    touch(state, OP_ACCESS_WRITE);
    if (!is_mine(mutex)) {
        if (kind_of(mutex) != PTHREAD_MUTEX_NORMAL)
            return EPERM;
        /* undefined for a normal mutex: libc lets it happen, and so do we */
        if (mutex->__data.__lock == 0)
            return 0;
    }
    if (mutex->__data.__count > 1)
        mutex->__data.__count--;
    else
        release(mutex, state);
    return 0;
}

int mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes, uintptr_t site)
{
    int kind = 0;
    if (attributes != NULL)
        memcpy(&kind, attributes, sizeof kind); /* glibc keeps the type in the low bits */
    if (kind & ~KIND_MASK & 0x40000000)
        refuse_call("pthread_mutex_init", "robust mutexes are not modelled", site);
    memory_access(mutex, sizeof *mutex, true, site);
    memset(mutex, 0, sizeof *mutex);
    mutex->__data.__kind = kind & KIND_MASK;
    return 0;
}

int mutex_destroy(pthread_mutex_t *mutex, uintptr_t site)
{
    memory_access(mutex, sizeof *mutex, true, site);
    return mutex->__data.__lock != 0 ? EBUSY : 0;
}

uint32_t mutex_let_go(pthread_mutex_t *mutex)
{
    uint32_t depth = mutex->__data.__count;
    struct object_state *state = object_state(object_number(mutex));
    touch(state, OP_ACCESS_WRITE);
    if (is_mine(mutex))
        release(mutex, state);
    return depth;
}

void mutex_take_again(pthread_mutex_t *mutex, uint32_t depth)
{
    struct object_state *state = object_state(object_number(mutex));
    touch(state, OP_ACCESS_WRITE);
    take(mutex, state, depth > 0 ? depth : 1);
}

static thread_id holder(int number)
{
    return number > 0 && number <= ex.thread_count ? (thread_id)(number - 1) : NO_THREAD;
}

thread_id model_owner(thread_id waiting)
{
    const struct thread *thread = &ex.threads[waiting];
    switch (ex.pending[waiting].kind) {
    case OP_MUTEX_LOCK:
    case OP_COND_WAKE: return holder(((const pthread_mutex_t *)thread->mutex)->__data.__lock);
    case OP_RWLOCK_READ:
    case OP_RWLOCK_WRITE:
        return holder(((const pthread_rwlock_t *)thread->mutex)->__data.__cur_writer);
    case OP_SPIN_LOCK: return holder(-*(const pthread_spinlock_t *)thread->mutex);
    case OP_STREAM_LOCK: return stream_owner(thread->mutex);
    case OP_JOIN: return (thread_id)ex.pending[waiting].second;
    default: return NO_THREAD;
    }
}
