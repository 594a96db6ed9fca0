#include "detector/lost_wakeup.h"

/* Whether the waiter's last step is of this kind; `out` is that step. */
static bool last_is(const struct trace *trace, thread_id waiter, enum op_kind kind, uint32_t *out)
{
    for (uint32_t i = trace->count; i-- > 0;)
        if (trace->steps[i].thread == waiter) {
            *out = i;
            return trace->steps[i].op.kind == kind;
        }
    return false;
}

/* The last step of this kind before `step`; UINT32_MAX: there is none. */
static uint32_t last_before(const struct trace *trace, uint32_t step, enum op_kind kind,
                            uint32_t object)
{
    for (uint32_t i = step; i-- > 0;) {
        const struct op *op = &trace->steps[i].op;
        if (op->kind == kind && (object == NO_OBJECT || op->object == object))
            return i;
    }
    return UINT32_MAX;
}

bool lost_wakeup_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out)
{
    if (!last_is(trace, waiter, OP_COND_WAIT, &out->wait) ||
        step_wakes_spuriously(&trace->steps[out->wait]))
        return false;
    uint32_t cond = trace->steps[out->wait].op.object;
    /* Threads that sleep unsignalled, and threads that were signalled but have not run since. */
    uint32_t asleep = 0, woken = 0;
    bool found = false;
    for (uint32_t i = 0; i < out->wait; i++) {
        const struct op *op = &trace->steps[i].op;
        if (op->kind == OP_COND_WAIT && op->object == cond) {
            if (step_wakes_spuriously(&trace->steps[i]))
                woken++;
            else
                asleep++;
        } else if (op->kind == OP_COND_WAKE && op->second == cond) {
            if (woken > 0)
                woken--;
            else if (asleep > 0) /* the wait timed out */
                asleep--;
        } else if ((op->kind == OP_COND_SIGNAL || op->kind == OP_COND_BROADCAST) &&
                   op->object == cond) {
            uint32_t some = op->kind == OP_COND_SIGNAL && asleep > 0 ? 1 : asleep;
            asleep -= some;
            woken += some;
            if (some == 0) {
                out->signal = i;
                found = true;
            }
        }
    }
    return found;
}

/* Only the last wake before the wait counts: if that wake found no sleeper, it was lost. */
bool lost_futex_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out)
{
    if (!last_is(trace, waiter, OP_FUTEX_WAIT, &out->wait))
        return false;
    out->signal = last_before(trace, out->wait, OP_FUTEX_SIGNAL, trace->steps[out->wait].op.object);
    return out->signal != UINT32_MAX && trace->steps[out->signal].flags & STEP_FAILED;
}

bool lost_signal_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out)
{
    uint32_t handled = trace->count;
    do
        handled = last_before(trace, handled, OP_SIGNAL_HANDLE, NO_OBJECT);
    while (handled != UINT32_MAX && trace->steps[handled].thread != waiter);
    if (handled == UINT32_MAX)
        return false;
    out->wait = handled;
    out->signal = last_before(trace, handled, OP_SIGNAL_SEND, NO_OBJECT);
    return out->signal != UINT32_MAX;
}
