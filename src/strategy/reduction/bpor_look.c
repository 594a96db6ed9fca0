/* Looks back from each new step, and from the operations pending at the end, at the earlier steps
 * that it depends on. */
#include "strategy/reduction/bpor_state.h"
#include "strategy/waiting.h"

/* Looks at the touches of an object before a later one: the last that conflict with it. If the
 * later operation may have been blocked, it looks at all that need not happen before it. */
static void look_back(struct bpor *bpor, const struct trace *trace, uint32_t touch, bool writes,
                      const struct late *late)
{
    bool waits = op_may_wait(late->op->kind) && bpor_keeps(bpor, BPOR_WAITED);
    for (uint32_t at = touch; at != 0; at = bpor->order.touches[at - 1].previous) {
        uint32_t step = bpor->order.touches[at - 1].step;
        bool written = trace->touches[at - 1].access == TOUCH_WRITES;
        if (writes || written)
            bpor_add_points(bpor, trace, step, late);
        if (written && (!waits || bpor_is_known(bpor, late, step)))
            return;
    }
}

static void look_at_all(struct bpor *bpor, const struct trace *trace, const struct late *late)
{
    for (uint32_t thread = 0; thread < trace->thread_count; thread++)
        if (bpor->last[thread] != 0)
            bpor_add_points(bpor, trace, bpor->last[thread] - 1, late);
}

/* Treats all steps in a range as dependences. The operation that a thread had pending is unknown,
 * or could not run before a step that depends on every other: it may depend on all that others
 * did. */
static void look_over(struct bpor *bpor, const struct trace *trace, uint32_t first, uint32_t last,
                      const struct late *late)
{
    for (uint32_t step = last + 1; step-- > first;)
        bpor_add_points(bpor, trace, step, late);
}

static void look_past_all(struct bpor *bpor, const struct trace *trace, uint32_t last_all,
                          const struct late *late)
{
    if (last_all > late->last && !thread_set_has(&trace->steps[last_all - 1].enabled, late->thread))
        look_over(bpor, trace, late->last, last_all - 1, late);
}

/* Looks at a thread that is struck by this step: it had another operation pending before. */
static void look_at_struck(struct bpor *bpor, const struct trace *trace, uint32_t step,
                           thread_id thread)
{
    static const struct op unknown = {.kind = OP_COND_WAKE, .choices = 1};
    struct late late = {.step = step,
                        .thread = thread,
                        .last = bpor->last[thread],
                        .woken = bpor->woken[thread],
                        .led = bpor->led[thread],
                        .op = &unknown,
                        .pends = true};
    if (thread != trace->steps[step].thread)
        look_over(bpor, trace, 0, step, &late);
}

static void look_at_step(struct bpor *bpor, const struct trace *trace, uint32_t step,
                         uint32_t last_all)
{
    const struct step *at = &trace->steps[step];
    struct late late = {.step = step,
                        .thread = at->thread,
                        .last = bpor->last[at->thread],
                        .woken = bpor->woken[at->thread],
                        .led = bpor->led[at->thread],
                        .op = &at->op,
                        .clock = bpor->order.by_step[step].clock};
    if (last_all != 0) {
        bpor_add_points(bpor, trace, last_all - 1, &late);
        look_past_all(bpor, trace, last_all, &late);
    }
    if (late.led != 0 && bpor_keeps(bpor, BPOR_LED))
        bpor_add_points(bpor, trace, late.led - 1, &late);
    if (bpor->taken[step].footprint.all)
        look_at_all(bpor, trace, &late);
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < at->touches_end; i++) {
        struct touch touch = trace->touches[i];
        if (touch.access == TOUCH_READS || touch.access == TOUCH_WRITES)
            look_back(bpor, trace, bpor->order.touches[i].previous, touch.access == TOUCH_WRITES,
                      &late);
        else if (touch.access == TOUCH_FOLLOWS && bpor->last[touch.object] != 0 &&
                 bpor_keeps(bpor, BPOR_JOIN))
            bpor_add_points(bpor, trace, bpor->last[touch.object] - 1, &late);
    }
}

static void look_at_pending(struct bpor *bpor, const struct trace *trace, thread_id thread,
                            uint32_t last_all)
{
    const struct op *op = &trace->pending[thread];
    struct late late = {.step = trace->count,
                        .thread = thread,
                        .last = bpor->last[thread],
                        .woken = bpor->woken[thread],
                        .led = bpor->led[thread],
                        .op = op,
                        .clock = bpor->pending,
                        .pends = true};
    uint32_t last = trace->count - 1;
    if (op_waits_for_readers(op->kind))
        order_find_clock_of_pending(&bpor->order, thread, bpor->pending);
    if (trace->steps[last].flags & STEP_ENDS)
        bpor_add_points(bpor, trace, last, &late);
    look_past_all(bpor, trace, last_all, &late);
    bool asleep = (op->kind == OP_COND_WAKE || op->kind == OP_FUTEX_WAKE) &&
                  op->before == COND_ASLEEP && !op_may_time_out(op);
    if (!op_may_wait(op->kind) || asleep)
        return;
    if (late.led != 0 && bpor_keeps(bpor, BPOR_LED))
        bpor_add_points(bpor, trace, late.led - 1, &late);
    if (op_depends_on_all(op->kind))
        look_at_all(bpor, trace, &late);
    struct footprint footprint = footprint_predicted(op, op->before);
    for (uint32_t i = 0; i < footprint.count; i++) {
        CHECK(footprint.touches[i].object < ORDER_OBJECTS_MAX);
        const struct order_object *object = &bpor->order.objects[footprint.touches[i].object];
        if (object->generation == bpor->order.generation)
            look_back(bpor, trace, object->last, footprint.touches[i].access == TOUCH_WRITES,
                      &late);
    }
}

/* Finds each thread's last step before `first`, and the steps that woke it since. Returns 1 + the
 * last step that depends on every other step. */
static uint32_t begin_looking(struct bpor *bpor, const struct trace *trace, uint32_t first)
{
    const struct order *order = &bpor->order;
    for (uint32_t thread = 0; thread < trace->thread_count; thread++) {
        uint32_t last = order->by_thread[thread].last, lead = order->by_thread[thread].leads;
        while (last > first)
            last = order->by_step[last - 1].last;
        bpor->last[thread] = last;
        bpor->woken[thread] = bpor->led[thread] = 0;
        for (; lead != 0; lead = order->touches[lead - 1].previous) {
            uint32_t step = order->touches[lead - 1].step;
            if (step < last)
                break;
            if (step >= first || step_strikes(&trace->steps[step]))
                continue;
            if (thread_set_has(&trace->steps[step].enabled, (thread_id)thread)) {
                if (bpor->led[thread] == 0)
                    bpor->led[thread] = step + 1;
                continue;
            }
            bpor->woken[thread] = step + 1;
            break;
        }
    }
    return first < trace->count ? order->by_step[first].last_all : order->last_all;
}

void bpor_look(struct bpor *bpor, const struct trace *trace, uint32_t first)
{
    uint32_t last_all = begin_looking(bpor, trace, first);
    for (uint32_t step = first; step < trace->count; step++) {
        const struct step *at = &trace->steps[step];
        look_at_step(bpor, trace, step, last_all);
        for (uint32_t i = trace_touches_begin(trace->steps, step); i < at->touches_end; i++)
            if (trace->touches[i].access == TOUCH_LEADS && step_strikes(at))
                look_at_struck(bpor, trace, step, (thread_id)trace->touches[i].object);
        bpor->last[at->thread] = step + 1;
        bpor->woken[at->thread] = bpor->led[at->thread] = 0;
        if (at->flags & (STEP_ALL | STEP_ENDS))
            last_all = step + 1;
        for (uint32_t i = trace_touches_begin(trace->steps, step); i < at->touches_end; i++)
            if (trace->touches[i].access == TOUCH_LEADS && !step_strikes(at)) {
                thread_id thread = (thread_id)trace->touches[i].object;
                bool enabled = thread_set_has(&at->enabled, thread);
                (enabled ? bpor->led : bpor->woken)[thread] = step + 1;
            }
    }
    if (trace->count == 0 || !bpor_keeps(bpor, BPOR_PENDING))
        return;
    THREADS_EACH(thread, &trace->alive)
    look_at_pending(bpor, trace, thread, last_all);
}
