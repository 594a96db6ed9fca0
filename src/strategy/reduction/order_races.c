/* The steps that the subject depends on, and those of them before which it could have come.
 *
 * The steps are visited from the latest on. A step that happens before another one of them is in no
 * race. If the subject was disabled before a step, the step that blocked it is looked for among the
 * earlier touches of its object. */
#include "strategy/reduction/order_parts.h"

void order_add(struct order *order, const struct reversal *reversal)
{
    if (order->reversal_count == order->reversals_max)
        order->overflow = true;
    else
        order->reversals[order->reversal_count++] = *reversal;
}

static void add_grown(struct order *order, const struct reversal *reversal)
{
    if (order->grown_count == order->steps_max)
        order->overflow = true;
    else
        order->grown[order->grown_count++] = (struct grown){*reversal, order->subject};
}

/* Whether the subject may touch more when it is reversed. */
static bool may_grow(const struct order *order, const struct subject *subject)
{
    const struct op *op = subject->op;
    return op_may_time_out(op) || order->by_thread[subject->thread].led != 0 ||
           (op_is_timed(op->kind) && op->second != 0) ||
           (order->wide->count > 0 && sites_have(order->wide, op->site));
}

/* 1 + the step of the thread before the step being ordered, or the one that made the thread; 0:
 * none. */
static uint32_t step_before_subject(const struct order *order, thread_id thread)
{
    const struct order_thread *me = &order->by_thread[thread];
    if (me->last != 0 || me->leads == 0)
        return me->last;
    return order->touches[me->leads - 1].step + 1;
}

void order_emit(struct order *order, const struct subject *subject, uint32_t step,
                struct footprint footprint, uint16_t choice, uint32_t drop_first,
                uint32_t drop_last)
{
    step = section_begin(order, step);
    bool woken = is_woken_after(order, subject, step);
    if (woken)
        footprint = subject_unwoken(order, subject, step);
    struct reversal reversal = {
        .step = step,
        .index = order->by_step[step].index,
        .thread = order->by_step[step].thread,
        .drop_first = drop_first,
        .drop_last = drop_last,
        .after = drop_first != 0 ? step_before_subject(order, subject->thread) : 0,
        .event = {.thread = subject->thread, .choice = choice, .footprint = footprint},
    };
    if (order->sites->count > 0)
        reversal.event.footprint.unsure = sites_have(order->sites, subject->op->site);
    if (order->reports)
        order_add(order, &reversal);
    if (order->grows && (woken || (footprint.all && !subject->footprint->all)))
        add_grown(order, &reversal);
}

/* Whether the thread could have taken its step before this one: it was enabled, and this step is
 * not a futile iteration of the thread itself, in place of which it would run the same iteration
 * again. */
static bool could_step(const struct order *order, thread_id thread, uint32_t step)
{
    const struct step *at = &order->trace->steps[section_begin(order, step)];
    return thread_set_has(&at->enabled, thread) && at->thread != thread;
}

/* Puts the event at the latest step, from this one back, at which its thread was enabled. The steps
 * that blocked the thread since then need not be known: with nothing before it but the earlier
 * steps, the event is possible there. Returns false if the thread was never enabled since its
 * operation became pending. */
bool order_emit_earlier(struct order *order, thread_id thread, struct footprint footprint,
                        uint32_t step)
{
    const struct step *steps = order->trace->steps;
    uint32_t least = order->by_thread[thread].arrived;
    if (order->by_thread[thread].struck > least)
        least = order->by_thread[thread].struck;
    while (step >= least && !could_step(order, thread, step))
        if (step-- == 0)
            return false;
    if (step < least)
        return false;
    if (!order->reports)
        return true;
    step = section_begin(order, step);
    struct reversal reversal = {
        .step = step,
        .index = order->by_step[step].index,
        .thread = steps[step].thread,
        .event = {.thread = thread, .footprint = footprint},
        .alone = true,
    };
    order_add(order, &reversal);
    return true;
}

static void reverse(struct order *order, const struct subject *subject, uint32_t touch,
                    uint32_t state, uint32_t drop_first, uint32_t drop_last)
{
    struct footprint footprint =
        subject->predicts ? subject_predict(order, subject, state) : *subject->footprint;
    order_emit(order, subject, order->touches[touch - 1].step, footprint,
               subject->op->choices > 1 ? 0 : subject->choice, drop_first, drop_last);
}

/* Whether the read-write lock was free before this touch. */
static bool begins_use(const struct order *order, uint32_t touch)
{
    const struct op *op = &order->trace->steps[order->touches[touch - 1].step].op;
    return rwlock_readers(op->before) == 0 && op_traits(op->kind)->memory == OP_MEMORY_NONE;
}

/* Whether the touch writes the lock while readers are inside that stay inside. */
static bool leaves_readers(const struct order *order, uint32_t touch)
{
    uint32_t step = order->touches[touch - 1].step;
    if (order->trace->touches[touch - 1].access == TOUCH_READS || begins_use(order, touch))
        return false;
    uint32_t readers = order_readers_after(order, step);
    return readers != RWLOCK_WRITTEN && readers > 0;
}

/* Reverses all uses of the read-write lock since it was free, for a writer that several readers
 * block. Uses that happen before the writer in every order stay; these readers must have left. */
static void reverse_all(struct order *order, const struct subject *subject, uint32_t last)
{
    uint32_t first = 0, readers = 0;
    for (uint32_t at = last; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        const struct step *taken = &order->trace->steps[step];
        bool known = is_known(order, subject->thread, subject->known, step);
        if (known && order->trace->touches[at - 1].access == TOUCH_WRITES) {
            readers += order_readers_after(order, step);
            break;
        }
        if (!known)
            first = at;
        else if (!(taken->flags & STEP_FAILED))
            readers += op_traits(taken->op.kind)->lock == OP_LOCK_GIVE ? UINT32_MAX : 1;
        if (begins_use(order, at))
            break;
    }
    if (first != 0 && readers == 0)
        reverse(order, subject, first, 0, first, last);
}

/* The subject was blocked, and what blocked it happens after its wake-up: the wait could have timed
 * out before that wake-up. */
static void reverse_wake(struct order *order, const struct subject *subject, uint32_t step)
{
    uint32_t woken = order->by_thread[subject->thread].led;
    if (woken != 0 && subject_may_block(subject) && order_is_before(order, woken - 1, step))
        order_emit(order, subject, woken - 1, *subject->footprint, subject->choice, 0, 0);
}

/* Whether the same atomic section touched the object before. No other thread runs inside a section,
 * so the state that matters is the one at its first touch. */
static bool is_inside(const struct order *order, uint32_t touch)
{
    uint32_t step = order->touches[touch - 1].step, previous = order->touches[touch - 1].previous;
    uint32_t begin = section_begin(order, step);
    return begin != step && previous != 0 && order->touches[previous - 1].step >= begin;
}

/* Reverses the subject with a conflicting touch, where nothing else orders the two. A writer that
 * readers block can come before the thread of that touch. Where a failed attempt to write, or a
 * writer that queues, follows the readers, the writer can come before any of them. If no single
 * reader blocks it, it can come before all of them. */
static void reverse_touch(struct order *order, const struct subject *subject, uint32_t touch,
                          uint32_t last)
{
    bool chained = subject->op->object == order->trace->touches[touch - 1].object;
    thread_id thread = order->trace->steps[order->touches[touch - 1].step].thread;
    bool writes = is_rwlock_write(subject->op->kind);
    bool readers = writes && order->trace->touches[touch - 1].access == TOUCH_READS;
    bool unsure = order->sites->count > 0 && sites_have(order->sites, subject->op->site);
    bool overwritten = false, others = false;
    for (uint32_t at = touch; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        bool reads = order->trace->touches[at - 1].access == TOUCH_READS;
        if (is_known(order, subject->thread, subject->known, step)) {
            if (readers && reads && !begins_use(order, at))
                continue;
            break;
        }
        overwritten |= subject_is_overwritten(order, subject, at);
        bool mine = readers && order->trace->steps[step].thread == thread;
        if (at == touch || !reads || overwritten || others || mine) {
            if (at != touch && is_woken_after(order, subject, step))
                return;
            uint32_t state =
                chained ? subject_state_before(order, subject, at, last) : subject->before;
            if (!is_inside(order, at) && subject_is_possible(order, subject, step, state)) {
                reverse(order, subject, at, state, 0, 0);
                if (!unsure && !overwritten)
                    return;
            }
            if (!chained && subject_may_block(subject))
                return;
            if (at == touch)
                reverse_wake(order, subject, step);
        }
        if (writes && leaves_readers(order, at))
            readers = others = true;
        if (readers && begins_use(order, at) && !unsure && !overwritten)
            break;
    }
    if (readers || (overwritten && writes))
        reverse_all(order, subject, last);
}

static void add_pred(struct order *order, uint32_t step, uint32_t touch)
{
    uint32_t at = order->pred_count++;
    while (at > 0 && order->preds[at - 1] < step) {
        order->preds[at] = order->preds[at - 1];
        order->pred_touches[at] = order->pred_touches[at - 1];
        at--;
    }
    order->preds[at] = step;
    order->pred_touches[at] = touch;
}

/* Collects the steps that the subject depends on, except those known to happen before it. Of
 * several entries for one step the one for the subject's own object comes first, since that step
 * may have blocked the subject. */
void order_search_preds(struct order *order, const struct footprint *footprint, thread_id thread)
{
    const uint32_t *known = order->by_thread[thread].known;
    uint32_t led = order->by_thread[thread].led;
    for (uint32_t i = 0; i < footprint->count; i++) {
        const struct order_object *object = object_at(order, footprint->touches[i].object);
        bool writes = footprint->touches[i].access == TOUCH_WRITES;
        for (uint32_t at = writes ? object->last : object->write; at != 0;
             at = order->touches[at - 1].previous) {
            uint32_t step = order->touches[at - 1].step;
            if (!is_known(order, thread, known, step))
                add_pred(order, step, at);
            if (order->trace->touches[at - 1].access == TOUCH_WRITES)
                break;
        }
    }
    if (order->last_all != 0 && !is_known(order, thread, known, order->last_all - 1))
        add_pred(order, order->last_all - 1, 0);
    if (led != 0 && !is_known(order, thread, known, led - 1))
        add_pred(order, led - 1, 0);
    for (uint32_t i = 0; footprint->all && i < order->threads; i++) {
        uint32_t last = order->by_thread[i].last;
        if (last != 0 && !is_known(order, thread, known, last - 1))
            add_pred(order, last - 1, 0);
    }
}

/* Reverses the subject with a step that depends on every other step, or that woke the subject.
 * Returns whether the step that blocked the subject there must be looked for further back, too. */
static bool reverse_all_of(struct order *order, const struct subject *subject, uint32_t step,
                           bool first)
{
    bool all = subject->footprint->all || order->trace->steps[step].flags & STEP_ALL;
    if (!first && !all) /* reverse_touch() has handled the step */
        return false;
    struct footprint footprint = *subject->footprint;
    if (subject_is_possible(order, subject, step, subject->before)) {
        if (first)
            order_emit(order, subject, step, footprint,
                       subject->op->choices > 1 ? 0 : subject->choice, 0, 0);
        return false;
    }
    if (!all || order->by_thread[subject->thread].struck > step)
        return false;
    if (subject_may_block(subject))
        return true;
    footprint.all |= subject->predicts;
    return !order_emit_earlier(order, subject->thread, footprint, step);
}

/* Visits the preds from the latest on. `clock` starts with what is known, and ends with all that
 * happens before the subject. */
void order_find_races(struct order *order, const struct subject *subject, uint32_t *clock)
{
    order->grows = order->subject != UINT32_MAX && may_grow(order, subject);
    bool looks = order->reports || order->grows, blocked = false;
    for (uint32_t i = 0; i < order->pred_count; i++) {
        uint32_t step = order->preds[i], touch = order->pred_touches[i];
        if (is_known(order, subject->thread, blocked && touch != 0 ? subject->known : clock, step))
            continue;
        if (looks && touch != 0)
            reverse_touch(order, subject, touch,
                          object_at(order, order->trace->touches[touch - 1].object)->last);
        if (looks && (touch == 0 || !subject_may_block(subject)))
            blocked |= reverse_all_of(order, subject, step, touch == 0);
        clock_join_step(order, clock, step);
    }
    order->grows = false;
}
