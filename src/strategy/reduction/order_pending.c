/* Operations that did not run take part as if they did: those pending at the end of the trace, and
 * those that a signal, a cancellation or a timer has replaced. */
#include "strategy/reduction/order_parts.h"

/* The operation that a struck thread had pending before. */
static struct op struck_op(const struct order *order, uint32_t step, thread_id thread)
{
    const struct trace *trace = order->trace;
    const struct op *alert = &trace->pending[thread];
    for (uint32_t i = step + 1; i < trace->count; i++)
        if (trace->steps[i].thread == thread) {
            alert = &trace->steps[i].op;
            break;
        }
    if (alert->kind != OP_SIGNAL_HANDLE && alert->kind != OP_CANCELLED)
        return (struct op){.choices = 1};
    return (struct op){
        .kind = alert->size, .object = alert->second, .choices = 1, .site = alert->site};
}

/* Whether the thread slept and no thread had signalled it: it had nothing to run. */
static bool is_asleep(const struct order *order, const struct op *op, thread_id thread)
{
    uint32_t last = order->by_thread[thread].last;
    return (op->kind == OP_COND_WAKE || op->kind == OP_FUTEX_WAKE) &&
           order->by_thread[thread].arrived <= last &&
           (last == 0 || !step_wakes_spuriously(&order->trace->steps[last - 1]));
}

/* The struck thread could have run its operation before the step. If the operation was disabled
 * there, it could also have come before what blocked it, as if it were pending at the end. */
static void take_struck(struct order *order, uint32_t step, thread_id thread)
{
    (void)order_emit_earlier(order, thread, (struct footprint){.all = true}, step);
    struct op op = struck_op(order, step, thread);
    if (thread_set_has(&order->trace->steps[step].enabled, thread) || op.object == NO_OBJECT ||
        is_asleep(order, &op, thread))
        return;
    op.before = state_of_blocked(op.kind);
    struct footprint now = order_widen(order, &op, footprint_predicted(&op, op.before));
    struct subject subject = {
        .op = &op,
        .thread = thread,
        .before = op.before,
        .known = order->by_thread[thread].known,
        .footprint = &now,
        .predicts = is_variable(op.kind),
    };
    order_find_preds(order, &now, thread);
    clock_copy(order->scratch, subject.known, order->threads);
    order_find_races(order, &subject, order->scratch);
}

void order_take_strikes(struct order *order, uint32_t step)
{
    const struct trace *trace = order->trace;
    order->subject = UINT32_MAX;
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++)
        if (trace->touches[i].access == TOUCH_LEADS &&
            trace->touches[i].object != trace->steps[step].thread)
            take_struck(order, step, (thread_id)trace->touches[i].object);
}

/* Processes an operation that is pending at the end as if it ran now. */
void order_take_pending(struct order *order, thread_id thread)
{
    const struct trace *trace = order->trace;
    const struct op *op = &trace->pending[thread];
    struct footprint now = order_widen(order, op, footprint_predicted(op, op->before));
    struct subject subject = {
        .op = op,
        .thread = thread,
        .before = op->before,
        .known = order->by_thread[thread].known,
        .footprint = &now,
        .predicts = is_variable(op->kind),
        .times_out = op_may_time_out(op) && op->before == COND_ASLEEP,
    };
    uint32_t last = trace->count - 1;
    const struct step *end = &trace->steps[last];
    if (end->flags & STEP_ENDS && end->thread == thread)
        return;
    if (op->kind == OP_EXIT && op->before == EXIT_WAITS)
        return; /* the exit happens after every step of the threads that it waits for */
    if (end->flags & STEP_ENDS && thread_set_has(&end->enabled, thread)) {
        bool same = end->op.object == op->object;
        uint32_t before = same ? end->op.before : op->before;
        struct footprint ours = order_widen(order, op, footprint_predicted(op, before));
        struct footprint its = order->taken[last].footprint;
        its.all = false;
        struct footprint own = ours; /* what else the operation touches is not known */
        own.all = op_depends_on_all(op->kind);
        for (uint16_t choice = 0; choice < op->choices; choice++) {
            order_emit(order, &subject, last, ours, choice, 0, 0);
            if (order->reversal_count > 0)
                order->reversals[order->reversal_count - 1].again =
                    !footprints_conflict(&own, &its) && op->kind != OP_EXIT;
        }
        return;
    }
    if (op->before == COND_ASLEEP && !subject.times_out &&
        (op->kind == OP_COND_WAKE || op->kind == OP_FUTEX_WAKE))
        return;
    if (end->flags & STEP_ENDS) /* the operation is disabled there, too */
        order->last_all = order->all_before;
    order_find_preds(order, subject.footprint, thread);
    clock_copy(order->scratch, subject.known, order->threads);
    order_find_races(order, &subject, order->scratch);
}

void order_find_clock_of_pending(struct order *order, thread_id thread, uint32_t *clock)
{
    const struct op *op = &order->trace->pending[thread];
    struct footprint now = order_widen(order, op, footprint_predicted(op, op->before));
    order_find_preds(order, &now, thread);
    clock_copy(clock, order->by_thread[thread].known, order->threads);
    for (uint32_t i = 0; i < order->pred_count; i++)
        clock_join_step(order, clock, order->preds[i]);
}
