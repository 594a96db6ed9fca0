#include "detector/lost_wakeup.h"

/* Its last step, if that is a wait. */
static bool last_wait(const struct trace *trace, thread_id waiter, uint32_t *out)
{
    for (uint32_t i = trace->count; i-- > 0;)
        if (trace->steps[i].thread == waiter) {
            *out = i;
            return trace->steps[i].op.kind == OP_COND_WAIT;
        }
    return false;
}

bool lost_wakeup_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out)
{
    if (!last_wait(trace, waiter, &out->wait))
        return false;
    uint32_t cond = trace->steps[out->wait].op.object;
    uint32_t asleep = 0, woken = 0; /* who sleeps and was not signalled; who was, and sleeps on */
    bool found = false;
    for (uint32_t i = 0; i < out->wait; i++) {
        const struct op *op = &trace->steps[i].op;
        if (op->kind == OP_COND_WAIT && op->object == cond) {
            asleep++;
        } else if (op->kind == OP_COND_WAKE && op->second == cond) {
            if (woken > 0)
                woken--;
            else if (asleep > 0) /* a timeout */
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
