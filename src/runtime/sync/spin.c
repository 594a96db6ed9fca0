/* Spin locks. As with libc on x86-64, 1 is free and anything else is taken; the holder's number,
 * negated and less one, says by whom. One that was destroyed is none any more. */
#include <errno.h>

#include "runtime/engine/misuse.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/locks_held.h"
#include "runtime/memory/memory.h"
#include "runtime/progress/await.h"
#include "runtime/sync/sync_calls.h"

enum { SPIN_FREE = 1, SPIN_ENDED = (int)0xdead0002 };

static thread_id holder(const pthread_spinlock_t *lock)
{
    int number = -*lock;
    return number > 0 && number <= ex.thread_count ? (thread_id)(number - 1) : NO_THREAD;
}

static bool is_free(const pthread_spinlock_t *lock)
{
    return *lock == SPIN_FREE;
}

/* Otherwise it is memory that never was a lock: zeros, for instance, that libc takes for a lock
 * that is held. */
static bool is_lock(const pthread_spinlock_t *lock)
{
    return is_free(lock) || holder(lock) != NO_THREAD;
}

bool spin_can_lock(const void *object)
{
    const pthread_spinlock_t *lock = object;
    return is_free(lock) || unlikely(!is_lock(lock));
}

static void check(pthread_spinlock_t *lock, uintptr_t site)
{
    memory_uses(ex.me->object, lock, site);
    step_before(*lock != SPIN_FREE);
    if (likely(is_lock(lock)))
        return;
    misuse_of_dead(SPIN_NOUN, (const void *)lock, site);
    *lock = SPIN_FREE;
}

static void take(pthread_spinlock_t *lock, uint32_t object)
{
    step_touch(object, OP_ACCESS_WRITE);
    *lock = -(ex.current + 1);
    lock_held(object);
    race_acquire(&ex.race, &object_state(object)->sync);
}

int spin_lock(pthread_spinlock_t *lock, uintptr_t site)
{
    uint32_t object = object_number(lock);
    memory_look((const void *)lock, site);
    ex.me->mutex = (void *)lock;
    announce_on(OP_SPIN_LOCK, object, site);
    check(lock, site);
    lock_wanted(object, site);
    take(lock, object);
    return 0;
}

int spin_trylock(pthread_spinlock_t *lock, const struct local *local)
{
    uint32_t object = object_number(lock);
    ex.me->mutex = (void *)lock;
    await_before_read(lock, sizeof *lock, object, local);
    announce_on(OP_SPIN_TRYLOCK, object, local->site);
    check(lock, local->site);
    if (is_free(lock)) {
        take(lock, object);
        return 0;
    }
    await_after_read();
    step_touch(object, OP_ACCESS_READ);
    step_failed();
    return EBUSY;
}

int spin_unlock(pthread_spinlock_t *lock, uintptr_t site)
{
    uint32_t object = object_number(lock);
    announce_on(OP_SPIN_UNLOCK, object, site);
    check(lock, site);
    if (unlikely(*lock != -(ex.current + 1)))
        misuse_with(SPIN_NOUN,
                    *lock == SPIN_FREE ? "is unlocked that nobody holds"
                                       : "is unlocked that another thread holds",
                    (const void *)lock, site, holder(lock), 0);
    step_touch(object, OP_ACCESS_WRITE);
    *lock = SPIN_FREE;
    lock_dropped(object);
    race_release(&ex.race, &object_state(object)->sync);
    return 0;
}

int spin_init(pthread_spinlock_t *lock, uintptr_t site)
{
    memory_access(lock, sizeof *lock, true, site);
    life_begin(SPIN_NOUN, (const void *)lock, is_lock(lock), site);
    *lock = SPIN_FREE;
    return 0;
}

int spin_destroy(pthread_spinlock_t *lock, uintptr_t site)
{
    memory_access(lock, sizeof *lock, true, site);
    if (holder(lock) == NO_THREAD) {
        life_end(SPIN_NOUN, (const void *)lock, *lock == SPIN_ENDED, site);
        *lock = SPIN_ENDED;
        return 0;
    }
    misuse_with(SPIN_NOUN, "is destroyed that is locked", (const void *)lock, site, holder(lock),
                0);
    return EBUSY;
}
