#include "runtime/memory/locks_held.h"

#include "detector/lock_order.h"
#include "runtime/engine/alias.h"
#include "runtime/engine/flight.h"

enum { KEPT_MAX = 256 }; /* in one execution */

void lock_dropped_slow(uint32_t lock)
{
    struct thread *me = ex.me;
    uint32_t known = me->locks.held_count < LOCKS_HELD_MAX ? me->locks.held_count : LOCKS_HELD_MAX;
    for (uint32_t i = 0; i < known; i++)
        if (me->locks.held[i] == lock) {
            for (uint32_t k = i + 1; k < known; k++)
                me->locks.held[k - 1] = me->locks.held[k];
            uint32_t below = me->locks.held_shared & ((1u << i) - 1);
            me->locks.held_shared = below | (me->locks.held_shared >> (i + 1) << i);
            me->locks.held_count--;
            return;
        }
    if (me->locks.held_count > LOCKS_HELD_MAX) /* one of those that found no room */
        me->locks.held_count--;
}

bool lock_step(thread_id thread, const void *lock, uint32_t *at)
{
    for (uint32_t i = rt.trace.count; i-- > 0;) {
        const struct step *step = &rt.trace.steps[i];
        enum op_lock_part part = op_traits(step->op.kind)->lock;
        bool takes = part == OP_LOCK_TAKE || part == OP_LOCK_SHARE || part == OP_LOCK_WAKE;
        if (step->thread != thread || step->flags & STEP_FAILED || !takes ||
            step->op.object == NO_OBJECT ||
            !alias_same((void *)the_board->objects[step->op.object].address, lock))
            continue;
        *at = i;
        return true;
    }
    return false;
}

bool moment_comes_after(struct moment earlier, struct moment later)
{
    thread_set after = {0};
    thread_set_add(&after, earlier.thread);
    for (uint32_t i = earlier.steps; i < later.steps; i++) {
        const struct step *step = &rt.trace.steps[i];
        bool creates = step->op.kind == OP_CREATE && thread_set_has(&after, step->thread);
        bool joins = (step->op.kind == OP_JOIN || step->op.kind == OP_JOIN_TRY ||
                      step->op.kind == OP_JOIN_TIMED) &&
                     !(step->flags & STEP_FAILED) &&
                     thread_set_has(&after, (thread_id)step->op.second);
        if (creates)
            thread_set_add(&after, (thread_id)step->op.second);
        if (joins)
            thread_set_add(&after, step->thread);
    }
    return thread_set_has(&after, later.thread);
}

static bool ordered(const struct lock_taken *a, const struct lock_taken *b)
{
    const struct lock_taken *first = a->step < b->step ? a : b, *second = a->step < b->step ? b : a;
    return moment_comes_after((struct moment){first->step + 1, first->thread},
                              (struct moment){second->step, second->thread});
}

static void report(const struct lock_taken *first, const struct lock_taken *second)
{
    struct finding *finding =
        finding_add(FINDING_LOCK_ORDER,
                    "locks are taken in opposite orders: threads may wait for "
                    "each other",
                    first->site, second->site);
    if (finding == NULL)
        return;
    finding->object = first->lock & ~LOCK_SHARED;
    finding->places[1] =
        (struct place){.site = second->site, .thread = second->thread, .step = second->step};
}

__attribute__((noinline)) void lock_wanted_slow(uint32_t lock, uintptr_t site)
{
    const struct thread *me = ex.me;
    if (!detecting(DETECT_LOCK_ORDER) || me->locks.held_count > LOCKS_HELD_MAX)
        return;
    struct lock_taken taken = {.site = site,
                               .lock = lock,
                               .step = rt.trace.count - 1,
                               .thread = ex.current,
                               .held_count = (uint8_t)me->locks.held_count};
    for (uint32_t i = 0; i < me->locks.held_count; i++)
        taken.held[i] = me->locks.held[i] | (me->locks.held_shared >> i & 1 ? LOCK_SHARED : 0);
    uint32_t count = 0;
    for (const struct lock_taken *other = ex.memory.locks_taken; other != NULL; other = other->next)
        if (lock_taken_is_like(other, &taken) || ++count == KEPT_MAX)
            return;
    const struct lock_taken *chain[LOCK_CHAIN_MAX];
    if (lock_order_circle(ex.memory.locks_taken, &taken, ordered, chain) > 0)
        report(chain[0], chain[1]);
    taken.next = ex.memory.locks_taken;
    ex.memory.locks_taken = execution_take(sizeof taken);
    *ex.memory.locks_taken = taken;
}
