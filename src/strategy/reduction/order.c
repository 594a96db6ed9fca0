#include "strategy/reduction/order.h"

#include <string.h>

#include "strategy/reduction/order_parts.h"

enum { REVERSALS_EACH = 8 };

void order_open(struct order *order, struct arena *arena, uint32_t steps_max, uint32_t touches_max)
{
    memset(order, 0, sizeof *order);
    order->steps_max = steps_max;
    order->touches_max = touches_max;
    order->clocks = arena_take(arena, (size_t)steps_max * THREADS_MAX * sizeof *order->clocks);
    order->by_step = arena_take(arena, steps_max * sizeof *order->by_step);
    order->current = arena_take(arena, THREADS_MAX * THREADS_MAX * sizeof *order->current);
    order->nothing = arena_take(arena, THREADS_MAX * sizeof *order->nothing);
    memset(order->nothing, 0, THREADS_MAX * sizeof *order->nothing);
    order->scratch = arena_take(arena, THREADS_MAX * sizeof *order->scratch);
    struct sites *none = arena_take(arena, sizeof *none);
    none->count = 0;
    order->sites = order->wide = none;
    order->by_thread = arena_take(arena, THREADS_MAX * sizeof *order->by_thread);
    size_t preds_max = steps_max + (size_t)touches_max;
    order->preds = arena_take(arena, preds_max * sizeof *order->preds);
    order->pred_touches = arena_take(arena, preds_max * sizeof *order->pred_touches);
    order->objects = arena_take(arena, ORDER_OBJECTS_MAX * sizeof *order->objects);
    order->touches = arena_take(arena, touches_max * sizeof *order->touches);
    order->reversals_max = (steps_max + THREADS_MAX) * REVERSALS_EACH;
    order->reversals = arena_take(arena, order->reversals_max * sizeof *order->reversals);
    order->grown = arena_take(arena, steps_max * sizeof *order->grown);
}

void order_clear(struct order *order)
{
    order->steps = order->touch_count = order->grown_count = 0;
    order->generation++;
    order->last_all = order->all_before = 0;
    for (uint32_t i = 0; i < order->threads; i++)
        order->by_thread[i] = (struct order_thread){.known = order->nothing};
}

static bool follows(const struct touch *touches, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (touches[i].access == TOUCH_FOLLOWS)
            return true;
    return false;
}

static void follow(struct order *order, uint32_t step, uint32_t *clock)
{
    const struct trace *trace = order->trace;
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++) {
        if (trace->touches[i].access != TOUCH_FOLLOWS)
            continue;
        thread_id ended = (thread_id)trace->touches[i].object;
        clock_join(clock, order->by_thread[ended].known, order->threads);
        clock_join_count(clock, ended, order->by_thread[ended].count);
    }
}

/* Makes a clock for a step that starts with what its thread knew. */
static uint32_t *make_clock(struct order *order, uint32_t step, const uint32_t *known)
{
    uint32_t *clock = order->clocks + (size_t)step * order->threads;
    clock_copy(clock, known, order->threads);
    order->by_step[step].clock = clock;
    return clock;
}

static void take_idle(struct order *order, uint32_t step)
{
    const struct trace *trace = order->trace;
    thread_id thread = trace->steps[step].thread;
    const struct order_thread *me = &order->by_thread[thread];
    order->by_step[step] = (struct order_step){.index = me->count,
                                               .last = me->last,
                                               .last_all = order->last_all,
                                               .thread = thread,
                                               .idle = true};
    make_clock(order, step, me->known);
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++)
        order->touches[i] = (struct order_touch){.touch = {0, TOUCH_FOLLOWS}};
    order->touch_count = trace->steps[step].touches_end;
}

static struct subject subject_of(const struct order *order, uint32_t step, const uint32_t *known)
{
    const struct step *at = &order->trace->steps[step];
    return (struct subject){
        .op = &at->op,
        .thread = at->thread,
        .choice = at->choice,
        .before = at->op.before,
        .known = known,
        .footprint = &order->taken[step].footprint,
        .predicts = is_variable(at->op.kind) && !(at->flags & STEP_ENDS),
        .times_out = at->flags & STEP_TIMED_OUT,
        .owns = !op_is_possible(at->op.kind, at->op.before),
    };
}

/* Computes the clock of a step that knows more than the steps of its thread before it. */
static void take_clock(struct order *order, uint32_t step, const uint32_t *known, bool joins)
{
    uint32_t *clock = make_clock(order, step, known);
    if (joins)
        follow(order, step, clock);
    if (order->pred_count == 0)
        return;
    if (joins) {
        clock_copy(order->scratch, clock, order->threads);
        known = order->scratch;
    }
    struct subject subject = subject_of(order, step, known);
    order_find_races(order, &subject, clock);
}

static void reverse_choices(struct order *order, const struct subject *subject, uint32_t step)
{
    for (uint16_t choice = 0; choice < subject->op->choices; choice++)
        if (choice != subject->choice)
            order_emit(
                order, subject, step,
                order_widen(order, subject->op, footprint_predicted(subject->op, subject->before)),
                choice, 0, 0);
}

/* Other outcomes of steps whose races were found before: more steps may now come before those
 * outcomes. */
static void reverse_choices_again(struct order *order, uint32_t end)
{
    for (uint32_t step = 0; step < end; step++) {
        const struct step *at = &order->trace->steps[step];
        struct subject subject = {
            .op = &at->op, .thread = at->thread, .choice = at->choice, .before = at->op.before};
        if (at->op.choices > 1)
            reverse_choices(order, &subject, step);
    }
}

static void take_step(struct order *order, uint32_t step, bool reports)
{
    const struct step *at = &order->trace->steps[step];
    struct order_thread *me = &order->by_thread[at->thread];
    struct order_step *taken = &order->by_step[step];
    uint32_t touches = trace_touches_begin(order->trace->steps, step);
    *taken = (struct order_step){.clock = me->known,
                                 .index = me->count + 1,
                                 .last = me->last,
                                 .last_all = order->last_all,
                                 .thread = at->thread};
    order->reports = reports;
    if (reports && step_strikes(at))
        order_take_strikes(order, step);
    order->subject = step;
    order_find_preds(order, &order->taken[step].footprint, at->thread);
    bool joins = follows(order->trace->touches, touches, at->touches_end);
    if (order->pred_count > 0 || joins || me->led_on)
        take_clock(order, step, me->known, joins);
    if (reports && at->op.choices > 1) {
        struct subject subject = subject_of(order, step, me->known);
        reverse_choices(order, &subject, step);
    }
    me->known = taken->clock;
    me->count = taken->index;
    me->led_on = false;
    me->arrived = me->last = step + 1;
    me->led = me->struck = 0;
    if (at->flags & (STEP_ALL | STEP_ENDS))
        order->all_before = order->last_all, order->last_all = step + 1;
    if (touches < at->touches_end)
        order_note_touches(order, step);
}

void order_learn(struct order *order, const struct trace *trace, const struct event *taken,
                 uint32_t same, uint32_t first_new)
{
    CHECK(trace->count <= order->steps_max);
    order->trace = trace;
    order->taken = taken;
    order->reversal_count = 0;
    bool wider = order->threads < trace->thread_count;
    if (wider)
        order->threads = clock_groups(trace->thread_count) * CLOCK_GROUP;
    if (wider || order->steps < same)
        order_clear(order);
    else
        order_undo_steps(order, same);
    for (uint32_t step = order->steps; step < trace->count; step++) {
        if (order_forgets(order, &trace->steps[step]))
            take_idle(order, step);
        else
            take_step(order, step, step >= first_new);
    }
    order->steps = trace->count;
    if (trace->count == 0)
        return;
    order->subject = UINT32_MAX;
    order->reports = true;
    if (order->chooses)
        reverse_choices_again(order, first_new < trace->count ? first_new : trace->count);
    for (uint32_t i = 0; i < order->grown_count && order->grown[i].subject < first_new; i++)
        order_add(order, &order->grown[i].reversal);
    uint32_t last_all = order->last_all;
    THREADS_EACH(thread, &trace->alive)
    order_take_pending(order, thread);
    order->last_all = last_all;
}

bool order_keeps_beside(const struct order *order, const struct reversal *reversal, uint32_t step)
{
    for (uint32_t at = reversal->drop_last; at != 0; at = order->touches[at - 1].previous) {
        uint32_t dropped = order->touches[at - 1].step;
        bool stays = reversal->after != 0 && order_is_before(order, dropped, reversal->after - 1);
        if (!stays && order_is_before(order, dropped, step))
            return false;
        if (at == reversal->drop_first)
            break;
    }
    return true;
}
