/* Iterative context bounding: all executions with c preemptions before any with c + 1 (Musuvathi
 * and Qadeer 2007). Leaving the thread that ran last costs one if it is still enabled, whichever
 * thread comes next. */
#include "strategy/bounded/bounded.h"

extern const struct strategy strategy_preempt;

static bool preempt_split(void *state, const struct trace *trace, struct parcel *out)
{
    return bounded_split(state, &strategy_preempt, out);
}

const struct strategy strategy_preempt = {
    .name = "preempt",
    .summary = "all executions with 0 preemptions, then 1, 2, …",
    .traits.bound_name = "preemptions",
    .traits.symmetric = true,
    .state_size = sizeof(struct bounded),
    .open = bounded_open,
    .plan = bounded_plan,
    .choose = choose_default,
    .choose_unseen = bounded_choose_unseen,
    .learn = bounded_learn_preemptions,
    .progress = bounded_progress,
    .full = bounded_full,
    .sharing.split = preempt_split,
    .sharing.adopt = bounded_adopt,
    .sharing.rise = bounded_rise,
};
