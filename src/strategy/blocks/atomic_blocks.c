#include "strategy/blocks/atomic_blocks.h"

#include "base/assert.h"

static enum lock_change op_lock_change(enum op_kind kind)
{
    switch ((enum op_lock_part)op_traits(kind)->lock) {
    case OP_LOCK_TAKE:
    case OP_LOCK_SHARE:
    case OP_LOCK_WAKE:
        return LOCK_TAKES;
    case OP_LOCK_GIVE:
    case OP_LOCK_SLEEP:
        return LOCK_GIVES;
    case OP_LOCK_QUEUE:
        return LOCK_LOOKS;
    case OP_LOCK_NONE:
    case OP_LOCK_SIGNAL:
    case OP_LOCK_CREATE:
    case OP_LOCK_JOIN:
        return LOCK_NONE;
    }
    UNREACHABLE();
}

enum lock_change step_lock_change(const struct step *step)
{
    enum lock_change change = op_lock_change(step->op.kind);
    return change != LOCK_NONE && step->flags & STEP_FAILED ? LOCK_LOOKS : change;
}

uint32_t op_lock(const struct op *op)
{
    if (op_lock_change(op->kind) == LOCK_NONE)
        return NO_OBJECT;
    return op_traits(op->kind)->second == OP_SECOND_MUTEX ? op->second : op->object;
}

bool op_notices_holder(enum op_kind kind)
{
    return op_tries(kind) || op_traits(kind)->lock == OP_LOCK_QUEUE;
}

bool step_ends_block(const struct step *step, bool fine)
{
    if (step->op.choices > 1 || step->flags & (STEP_TIMED_OUT | STEP_ENDS))
        return true;
    if (op_traits(step->op.kind)->lock == OP_LOCK_JOIN)
        return fine;
    return fine || op_tries(step->op.kind) || step_lock_change(step) != LOCK_TAKES;
}

static bool is_lock_of(const struct op *op, struct touch touch)
{
    uint32_t lock = op_lock(op); /* THREADS_OBJECT is no lock */
    return lock != NO_OBJECT && touch.object == lock;
}

void block_print_add(struct block_print *print, struct touch touch)
{
    uint32_t at = print->count;
    while (at > 0 && print->touches[at - 1].object > touch.object)
        at--;
    if (at > 0 && print->touches[at - 1].object == touch.object) {
        if (touch.access == TOUCH_WRITES)
            print->touches[at - 1].access = TOUCH_WRITES;
        return;
    }
    if (print->count == BLOCK_TOUCHES_MAX) {
        print->all = true;
        return;
    }
    for (uint32_t i = print->count++; i > at; i--)
        print->touches[i] = print->touches[i - 1];
    print->touches[at] = touch;
}

/* Whether the steps leave a lock in another state than they found it. */
static bool lock_is_changed(struct block_steps at, uint32_t begin, uint32_t end, uint32_t lock)
{
    int32_t held = 0;
    for (uint32_t i = begin; i < end; i++) {
        const struct step *step = &at.steps[i];
        enum lock_change change = op_lock(&step->op) == lock ? step_lock_change(step) : LOCK_NONE;
        held += (change == LOCK_TAKES) - (change == LOCK_GIVES);
    }
    return held != 0;
}

void block_print(struct block_print *print, struct block_steps at, uint32_t begin, uint32_t end,
                 bool guards)
{
    print->count = 0;
    print->all = false;
    for (uint32_t i = begin; i < end; i++) {
        const struct step *step = &at.steps[i];
        uint32_t lock = op_lock(&step->op);
        print->all |= (step->flags & (STEP_ENDS | STEP_ALL)) != 0;
        if (lock != NO_OBJECT) {
            bool writes =
                guards || step->op.kind == OP_RWLOCK_QUEUE || lock_is_changed(at, begin, end, lock);
            block_print_add(print,
                            (struct touch){lock | BLOCK_LOCK, writes ? TOUCH_WRITES : TOUCH_READS});
        }
        for (uint32_t k = trace_touches_begin(at.steps, i); k < step->touches_end; k++)
            if (!is_lock_of(&step->op, at.touches[k]) &&
                (at.touches[k].access == TOUCH_READS || at.touches[k].access == TOUCH_WRITES))
                block_print_add(print, at.touches[k]);
    }
}

bool block_touches_conflict(const struct touch *a, uint32_t a_count, const struct touch *b,
                            uint32_t b_count)
{
    for (uint32_t i = 0, k = 0; i < a_count && k < b_count;) {
        if (a[i].object != b[k].object) {
            *(a[i].object < b[k].object ? &i : &k) += 1;
            continue;
        }
        if (a[i].access == TOUCH_WRITES || b[k].access == TOUCH_WRITES)
            return true;
        i++, k++;
    }
    return false;
}

/* Whether the second step comes after the first in every execution, because of thread creation and
 * joins. */
static bool follows(const struct trace *trace, uint32_t first, uint32_t second)
{
    thread_set after = {0};
    thread_set_add(&after, trace->steps[first].thread);
    for (uint32_t i = first; i <= second; i++) {
        const struct step *step = &trace->steps[i];
        for (uint32_t k = trace_touches_begin(trace->steps, i); k < step->touches_end; k++) {
            struct touch touch = trace->touches[k];
            if (step->op.kind == OP_CREATE && touch.access == TOUCH_LEADS &&
                thread_set_has(&after, step->thread))
                thread_set_add(&after, (thread_id)touch.object);
            if (touch.access == TOUCH_FOLLOWS && thread_set_has(&after, (thread_id)touch.object))
                thread_set_add(&after, step->thread);
        }
    }
    return thread_set_has(&after, trace->steps[second].thread);
}

bool steps_meet(const struct trace *trace, uint32_t i, uint32_t k)
{
    const struct step *steps = trace->steps;
    if (steps[i].thread == steps[k].thread)
        return false;
    for (uint32_t a = trace_touches_begin(steps, i); a < steps[i].touches_end; a++)
        for (uint32_t b = trace_touches_begin(steps, k); b < steps[k].touches_end; b++) {
            struct touch left = trace->touches[a], right = trace->touches[b];
            bool accesses = (left.access == TOUCH_READS || left.access == TOUCH_WRITES) &&
                            (right.access == TOUCH_READS || right.access == TOUCH_WRITES);
            if (accesses && left.object == right.object && !is_lock_of(&steps[i].op, left) &&
                !is_lock_of(&steps[k].op, right) &&
                (left.access == TOUCH_WRITES || right.access == TOUCH_WRITES))
                return true;
        }
    return false;
}

static bool is_alone_at_end(const struct trace *trace, thread_id thread)
{
    thread_set others = trace->alive;
    thread_set_remove(&others, thread);
    return thread_set_is_empty(&others);
}

bool threads_interact(const struct trace *trace)
{
    enum { LOOKED_AT_MAX = 2048 }; /* the loop compares each touch with each other */
    uint32_t count = trace->count;
    if (trace->outcome != OUTCOME_FINISHED ||
        trace_touches_begin(trace->steps, count) > LOOKED_AT_MAX || count > LOOKED_AT_MAX)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        const struct step *step = &trace->steps[i];
        bool last =
            i + 1 == count && is_alone_at_end(trace, step->thread) && step->op.kind == OP_EXIT;
        if (step->op.choices > 1 || op_notices_holder(step->op.kind) ||
            (step->flags & (STEP_ALL | STEP_ENDS) && !last))
            return true;
        /* A lock that is never released blocks others forever. */
        uint32_t lock = op_lock(&step->op);
        if (lock != NO_OBJECT &&
            lock_is_changed((struct block_steps){trace->steps, trace->touches}, 0, count, lock))
            return true;
        for (uint32_t k = i + 1; k < count; k++)
            if (steps_meet(trace, i, k) && !follows(trace, i, k))
                return true;
    }
    return false;
}
