/* Which locks each thread holds, and what that says of deadlocks in other schedules. */
#ifndef RUNTIME_MEMORY_LOCKS_HELD_H
#define RUNTIME_MEMORY_LOCKS_HELD_H

#include "runtime/engine/runtime.h"

struct moment { /* of an execution: when so many steps were taken, in the code of this thread */
    uint32_t steps;
    thread_id thread;
};

/* Whether one comes after the other in every schedule, because of creations and joins. */
bool moment_comes_after(struct moment earlier, struct moment later);

/* The last step at which the thread took that lock; false: it took it in none. */
bool lock_step(thread_id thread, const void *lock, uint32_t *at);

void lock_wanted_slow(uint32_t lock, uintptr_t site);
void lock_dropped_slow(uint32_t lock);

static inline void lock_held(uint32_t lock)
{
    struct thread *me = ex.me;
    if (likely(me->locks.held_count < LOCKS_HELD_MAX))
        me->locks.held[me->locks.held_count] = lock;
    me->locks.held_count++;
}

static inline void lock_held_to_read(uint32_t lock)
{
    struct thread *me = ex.me;
    if (likely(me->locks.held_count < LOCKS_HELD_MAX))
        me->locks.held_shared |= 1u << me->locks.held_count;
    lock_held(lock);
}

static inline void lock_dropped(uint32_t lock)
{
    struct thread *me = ex.me;
    if (likely(me->locks.held_count <= LOCKS_HELD_MAX && me->locks.held_count > 0 &&
               me->locks.held[me->locks.held_count - 1] == lock) &&
        likely(me->locks.held_shared == 0))
        me->locks.held_count--;
    else
        lock_dropped_slow(lock);
}

/* The calling thread takes it now, and would have waited for it; a lock to read has LOCK_SHARED. */
static inline void lock_wanted(uint32_t lock, uintptr_t site)
{
    if (unlikely(ex.me->locks.held_count > 0))
        lock_wanted_slow(lock, site);
}

#endif
