/* Which thread runs: from one to another, whatever carries them. */
#ifndef RUNTIME_ENGINE_HAND_OVER_H
#define RUNTIME_ENGINE_HAND_OVER_H

#include "base/assert.h"
#include "runtime/engine/fiber.h"

static inline void thread_set_state(struct thread *thread, enum thread_state next)
{
    static const uint8_t after[THREAD_STATES] = {
        [THREAD_UNUSED] = 1 << THREAD_STARTING | 1 << THREAD_LIVE,
        [THREAD_STARTING] = 1 << THREAD_LIVE | 1 << THREAD_ENDED,
        [THREAD_LIVE] = 1 << THREAD_ENDED,
        [THREAD_ENDED] = 0,
    };
    CHECK(after[thread->state] >> next & 1);
    thread->state = (uint8_t)next;
}

static inline __attribute__((always_inline)) void set_current(thread_id thread)
{
    ex.current = thread;
    ex.me = &ex.threads[thread];
    race_switch(&ex.race, thread);
}

/* On the kernel's threads */
void carrier_hand_over(struct thread *from, struct thread *to);
_Noreturn void carrier_hand_over_for_ever(struct thread *to);

static inline void hand_over(struct thread *from, thread_id to)
{
    set_current(to);
    struct thread *next = &ex.threads[to];
    if (unlikely(rt.carriers.kernel_threads)) {
        from->sp = __builtin_frame_address(0);
        carrier_hand_over(from, next);
        return;
    }
    fiber_enter(&from->sp, next->sp, next->fs);
}

static inline __attribute__((always_inline)) _Noreturn void hand_over_for_ever(thread_id to)
{
    set_current(to);
    struct thread *next = &ex.threads[to];
    if (rt.carriers.kernel_threads)
        carrier_hand_over_for_ever(next);
    fiber_go(next->sp, next->fs);
}

#endif
