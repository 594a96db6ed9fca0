/* Predicts whether the subject was enabled before a step of another thread, and what it would have
 * touched there.
 *
 * With its object in another state, an operation may be disabled, may fail, or may touch other
 * objects. The trace has the state of an object before each write. Where only reads lie between, or
 * steps that happen after the reversed one, the state is recomputed. */
#include "strategy/reduction/order_parts.h"

/* Whether some thread surely holds the mutex if this step and all that happen after it are
 * dropped. */
static bool is_held_without(const struct order *order, uint32_t last, uint32_t dropped)
{
    for (uint32_t at = last; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        if (step == dropped || order_is_before(order, dropped, step))
            continue;
        enum op_state state = op_traits(order->trace->steps[step].op.kind)->state;
        return state == OP_STATE_MUTEX || state == OP_STATE_WAKE;
    }
    return false;
}

/* Footprint of a timed wait that no thread has woken. */
struct footprint subject_unwoken(struct order *order, const struct subject *subject, uint32_t step)
{
    struct footprint footprint = *subject->footprint;
    footprint.all = true;
    if (!op_may_time_out(subject->op) || subject->op->size == OP_WIDE)
        return footprint;
    uint32_t last = object_at(order, subject->op->object)->last;
    return footprint_of_timeout(subject->op, is_held_without(order, last, step));
}

/* Number of readers inside a read-write lock after a step that writes it; RWLOCK_WRITTEN: a writer
 * is inside. */
uint32_t order_readers_after(const struct order *order, uint32_t step)
{
    const struct step *at = &order->trace->steps[step];
    const struct op_traits *traits = op_traits(at->op.kind);
    uint32_t readers = rwlock_readers(at->op.before);
    bool fails = at->flags & STEP_FAILED || op_fails(&at->op, at->op.before);
    if (traits->memory != OP_MEMORY_NONE)
        return 0; /* it is initialised, or overwritten */
    if (at->op.before == RWLOCK_WRITTEN)
        return fails || traits->lock != OP_LOCK_GIVE ? RWLOCK_WRITTEN : 0;
    if (fails || (traits->lock == OP_LOCK_QUEUE && readers > 0))
        return readers;
    if (traits->lock == OP_LOCK_GIVE) /* a lock that only other threads hold */
        return readers > 0 ? readers - 1 : 0;
    if (traits->lock == OP_LOCK_SHARE) /* a reader writes only if the lock was robbed */
        return readers + 1;
    return RWLOCK_WRITTEN;
}

/* Number of readers inside a read-write lock without the steps that happen after `dropped`;
 * RWLOCK_WRITTEN: a writer is inside. */
static uint32_t readers_without(struct order *order, uint32_t last, uint32_t dropped)
{
    uint32_t readers = 0;
    for (uint32_t at = last; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        const struct op *op = &order->trace->steps[step].op;
        bool writes = order->trace->touches[at - 1].access == TOUCH_WRITES;
        bool stays = step < dropped || !order_is_before(order, dropped, step);
        if (writes && stays) {
            uint32_t after = order_readers_after(order, step);
            return after == RWLOCK_WRITTEN ? after : readers + after;
        }
        if (!stays || order->trace->steps[step].flags & STEP_FAILED)
            continue;
        readers += op_traits(op->kind)->lock == OP_LOCK_GIVE ? UINT32_MAX : 1;
    }
    return readers;
}

bool subject_may_block(const struct subject *subject)
{
    const struct op_traits *traits = op_traits(subject->op->kind);
    return traits->possible != OP_POSSIBLE_UNKNOWN && traits->fails == OP_FAILS_NEVER &&
           !subject->times_out && !subject->owns;
}

bool subject_is_overwritten(const struct order *order, const struct subject *subject,
                            uint32_t touch)
{
    const struct step *step = &order->trace->steps[order->touches[touch - 1].step];
    return subject_may_block(subject) && op_traits(step->op.kind)->memory != OP_MEMORY_NONE;
}

/* State of its object in which an operation of this kind is enabled. */
static uint32_t state_of_able(enum op_kind kind)
{
    return op_traits(kind)->possible == OP_POSSIBLE_POSITIVE;
}

/* State of its object in which an operation of this kind is disabled. */
uint32_t state_of_blocked(enum op_kind kind)
{
    switch ((enum op_possible)op_traits(kind)->possible) {
    case OP_POSSIBLE_UNWRITTEN:
        return RWLOCK_WRITTEN;
    case OP_POSSIBLE_POSITIVE:
        return 0;
    case OP_POSSIBLE_FREE:
    case OP_POSSIBLE_UNKNOWN:
        return 1;
    }
    UNREACHABLE();
}

/* Whether the subject was pending before the step, and disabled. */
static bool was_disabled(const struct order *order, const struct subject *subject, uint32_t step)
{
    uint32_t begin = section_begin(order, step);
    return order->by_thread[subject->thread].arrived <= begin &&
           !is_woken_after(order, subject, step) &&
           !thread_set_has(&order->trace->steps[begin].enabled, subject->thread);
}

/* State of the subject's object before a step that touched it, after all steps that do not happen
 * after that step. */
uint32_t subject_state_before(struct order *order, const struct subject *subject, uint32_t touch,
                              uint32_t last)
{
    uint32_t step = order->touches[touch - 1].step;
    if (subject_is_overwritten(order, subject, touch))
        return was_disabled(order, subject, step) ? state_of_blocked(subject->op->kind)
                                                  : state_of_able(subject->op->kind);
    if (is_rwlock_write(subject->op->kind))
        return readers_without(order, last, step);
    if (order->trace->touches[touch - 1].access == TOUCH_READS)
        return subject->before;
    return order->trace->steps[step].op.before;
}

bool subject_is_possible(struct order *order, const struct subject *subject, uint32_t step,
                         uint32_t state)
{
    if (order->by_thread[subject->thread].struck > step)
        return false; /* the thread had another operation pending */
    uint32_t begin = section_begin(order, step);
    bool shows = order->by_thread[subject->thread].arrived <= begin;
    if (subject_may_block(subject) && !is_woken_after(order, subject, step) &&
        (begin == step || !shows))
        return op_is_possible(subject->op->kind, state);
    return !shows || thread_set_has(&order->trace->steps[begin].enabled, subject->thread);
}

/* With its object in the same state, an operation touches the same. A memory access that overlaps
 * others touches them in the way in which it touches its own object. */
static struct footprint predict_op(const struct subject *subject, uint32_t state)
{
    if (state == subject->before)
        return *subject->footprint;
    if (subject->times_out)
        return footprint_of_timeout(subject->op, state);
    struct footprint footprint = footprint_predicted(subject->op, state);
    bool memory = op_traits(subject->op->kind)->fails == OP_FAILS_UNEXPECTED;
    if (!memory || subject->footprint->count <= 1 || footprint.count != 1)
        return footprint;
    enum touch_access access = footprint.touches[0].access;
    bool all = footprint.all;
    footprint = *subject->footprint;
    footprint.all |= all;
    for (uint32_t i = 0; i < footprint.count; i++)
        if (access == TOUCH_WRITES || footprint.touches[i].object == subject->op->object)
            footprint.touches[i].access = access & 3;
    return footprint;
}

struct footprint subject_predict(const struct order *order, const struct subject *subject,
                                 uint32_t state)
{
    return order_widen(order, subject->op, predict_op(subject, state));
}
