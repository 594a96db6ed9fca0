#include "core/trace.h"

bool trace_step_switches(const struct trace *trace, uint32_t step)
{
    return step > 0 && trace->steps[step].thread != trace->steps[step - 1].thread;
}

bool trace_step_preempts(const struct trace *trace, uint32_t step)
{
    if (!trace_step_switches(trace, step))
        return false;
    const struct step *before = &trace->steps[step - 1];
    return thread_set_has(&trace->steps[step].enabled, before->thread) &&
           !op_gives_way(before->op.kind);
}

uint32_t trace_step_delays(const struct trace *trace, uint32_t step)
{
    const struct step *at = &trace->steps[step];
    uint32_t delays = 0;
    thread_id thread = step > 0 ? trace->steps[step - 1].thread : 0;
    thread = thread_set_next_around(&at->enabled, thread);
    while (thread != at->thread) {
        delays++;
        thread = thread_set_next_around(&at->enabled, thread + 1u);
    }
    return delays;
}

struct trace_costs trace_costs(const struct trace *trace)
{
    struct trace_costs costs = {0};
    for (uint32_t i = 0; i < trace->count; i++) {
        costs.preemptions += trace_step_preempts(trace, i);
        costs.delays += trace_step_delays(trace, i);
        costs.switches += trace_step_switches(trace, i);
        costs.spurious += step_wakes_spuriously(&trace->steps[i]);
        costs.points += thread_set_count(&trace->steps[i].enabled) > 1;
    }
    return costs;
}

bool trace_strikes(const struct trace *trace, uint32_t from)
{
    for (uint32_t step = from; step < trace->count; step++)
        for (uint32_t i = trace_touches_begin(trace->steps, step);
             step_strikes(&trace->steps[step]) && i < trace->steps[step].touches_end; i++)
            if (trace->touches[i].access == TOUCH_LEADS)
                return true;
    return false;
}
