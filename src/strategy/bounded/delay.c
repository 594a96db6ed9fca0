/* Iterative delay bounding: all executions with c delays before any with c + 1 (Emmi, Qadeer and
 * Rakamarić 2011). The delayed scheduler is round-robin: the thread that ran last, then those
 * created after it, then from the first thread on. Each enabled thread that is skipped costs
 * one. */
#include "strategy/bounded/bounded.h"

extern const struct strategy strategy_delay;

static bool delay_split(void *state, const struct trace *trace, struct parcel *out)
{
    return bounded_split(state, &strategy_delay, out);
}

const struct strategy strategy_delay = {
    .name = "delay",
    .summary = "all executions with 0 delays, then 1, 2, …",
    .traits.bound_name = "delays",
    .state_size = sizeof(struct bounded),
    .open = bounded_open,
    .plan = bounded_plan,
    .choose = choose_default,
    .choose_unseen = bounded_choose_unseen,
    .learn = bounded_learn_delays,
    .progress = bounded_progress,
    .full = bounded_full,
    .sharing.split = delay_split,
    .sharing.adopt = bounded_adopt,
    .sharing.rise = bounded_rise,
};
