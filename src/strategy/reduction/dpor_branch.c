/* From one branch to the next: which alternatives are done and waiting at its steps, which step is
 * to be changed, and the plan that follows.
 *
 * A plan ends at a step that may be a futile iteration of a loop. The trees that wait below that
 * step are unfolded once the execution has shown whether it was one. */
#include <string.h>

#include "strategy/reduction/dpor.h"

/* Frees the alternatives of a level after the step that ended the execution. */
static void drop_level(struct dpor *dpor, struct lists lists)
{
    if (lists.done != 0)
        wakeup_free_list(&dpor->now.wakeup, lists.done);
    wakeup_free_trees(&dpor->now.wakeup, lists.waiting);
}

void dpor_load_levels(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    memset(&dpor->at[same], 0, (trace->count + 1 - same) * sizeof *dpor->at);
    const struct level *levels = dpor->plans[dpor->now.plan].levels;
    for (uint32_t i = dpor->now.level_count; i-- > 0 && levels[i].step >= same;) {
        if (levels[i].step > trace->count) {
            CHECK(dpor_ends_for_good(trace));
            drop_level(dpor, levels[i].lists);
            continue;
        }
        dpor->at[levels[i].step] = levels[i].lists;
    }
}

uint32_t dpor_deepest_waiting(struct dpor *dpor, const struct trace *trace)
{
    if (dpor_ends_for_good(trace)) {
        wakeup_free_trees(&dpor->now.wakeup, dpor->at[trace->count].waiting);
        dpor->at[trace->count].waiting = 0;
    }
    for (uint32_t step = trace->count + 1; step-- > dpor->now.floor;) {
        if (dpor->at[step].waiting != 0)
            return step;
        if (dpor->at[step].done != 0)
            wakeup_free_list(&dpor->now.wakeup, dpor->at[step].done);
        dpor->at[step].done = 0;
    }
    return UINT32_MAX;
}

void dpor_keep_level(struct dpor *dpor, uint32_t plan, uint32_t step, struct lists lists)
{
    if (lists.done != 0 || lists.waiting != 0)
        dpor->plans[plan].levels[dpor->now.level_count++] = (struct level){step, lists};
}

/* Plans the first branch of a tree, from this step on, and frees that branch; the other branches
 * wait. */
void dpor_follow(struct dpor *dpor, uint32_t plan, uint32_t step, uint32_t node,
                 uint32_t prefix_count)
{
    struct wakeup *wakeup = &dpor->now.wakeup;
    struct decision *prefix = dpor->plans[plan].prefix;
    uint32_t first = node;
    dpor->now.head = wakeup->nodes[node].event;
    for (;; step++) {
        const struct wakeup_node *at = &wakeup->nodes[node];
        struct decision decision = {step, at->event.thread, at->event.choice};
        if (at->child == 0 || at->event.footprint.unsure) {
            dpor->now.goal = decision;
            dpor->now.planned = step + 1;
            dpor->now.below = at->child;
            break;
        }
        CHECK(prefix_count < dpor->steps_max);
        prefix[prefix_count++] = decision;
        node = at->child;
        dpor_keep_level(dpor, plan, step + 1, (struct lists){0, wakeup->nodes[node].next});
    }
    dpor->now.prefix_count = prefix_count;
    if (dpor->now.below != 0)
        wakeup_cut(wakeup, node);
    wakeup_free_path(wakeup, first);
}

/* Number of decisions of a prefix before a step. */
static uint32_t decisions_before(const struct decision *prefix, uint32_t count, uint32_t step)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (prefix[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Copies all decisions of the trace before a step. Those of the steps shared with the trace before
 * come from its plan. */
static uint32_t put_prefix(struct dpor *dpor, const struct trace *trace, uint32_t same,
                           uint32_t step)
{
    struct decision *prefix = dpor->plans[1 - dpor->now.plan].prefix;
    const struct decision *before = dpor->plans[dpor->now.plan].prefix;
    uint32_t count = same > 0 ? dpor->now.decided : 0, first = same;
    if (step < same) {
        count = decisions_before(before, count, step);
        first = step;
    }
    memcpy(prefix, before, count * sizeof *prefix);
    for (uint32_t i = first; i < step; i++)
        if (trace->steps[i].alternatives > 1)
            prefix[count++] = (struct decision){i, trace->steps[i].thread, trace->steps[i].choice};
    return count;
}

/* The next execution follows this one up to `step`, then the first waiting branch. If none waits
 * there, nothing was run from that step yet, and choose() is free. */
void dpor_branch(struct dpor *dpor, const struct trace *trace, uint32_t same, uint32_t step,
                 bool again)
{
    struct wakeup *wakeup = &dpor->now.wakeup;
    uint32_t plan = 1 - dpor->now.plan, prefix_count = put_prefix(dpor, trace, same, step);
    dpor->now.decided = prefix_count;
    dpor->now.level_count = 0;
    for (uint32_t i = 0; i < step; i++)
        dpor_keep_level(dpor, plan, i, dpor->at[i]);
    bool ran = step < trace->count; /* otherwise the execution was cut there */
    bool done = ran && !again && !dpor_is_idle(dpor, &trace->steps[step]);
    if (done)
        wakeup_push(wakeup, &dpor->at[step].done, &dpor->taken[step]);
    uint32_t node = dpor->at[step].waiting;
    uint32_t beside = node != 0 ? wakeup->nodes[node].next : 0;
    dpor_keep_level(dpor, plan, step, (struct lists){dpor->at[step].done, beside});
    if (node != 0) {
        dpor_follow(dpor, plan, step, node, prefix_count);
    } else {
        dpor->now.prefix_count = prefix_count;
        dpor->now.planned = step;
        dpor->now.goal = (struct decision){.thread = NO_THREAD};
    }
    dpor->now.asleep_count = 0;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeper_sleeps(&dpor->sleepers[i], step))
            dpor->plans[plan].asleep[dpor->now.asleep_count++] = dpor->sleepers[i].event;
    if (done)
        dpor->plans[plan].asleep[dpor->now.asleep_count++] = dpor->taken[step];
    dpor->now.plan = plan;
    dpor->now.from = step;
    dpor->now.check =
        schedule_check(ran ? trace->steps[step].fingerprint : (uint32_t)trace->fingerprint);
}

/* Unfolds the trees below the goal along the steps that ran, with the alternatives that wait beside
 * each. It stops at a futile iteration (`idle`), or at a step after which the thread had to yield
 * (`again`). */
struct unfolded dpor_unfold(struct dpor *dpor, const struct trace *trace)
{
    const struct wakeup_node *nodes = dpor->now.wakeup.nodes;
    uint32_t step = dpor->now.planned - 1;
    if (dpor->now.goal.thread == NO_THREAD || step >= trace->count)
        return (struct unfolded){UINT32_MAX, UINT32_MAX};
    while (!dpor_is_idle(dpor, &trace->steps[step])) {
        uint32_t node = dpor->now.below;
        if (node == 0 || step + 1 > trace->count)
            return (struct unfolded){UINT32_MAX, UINT32_MAX};
        bool ran = ++step < trace->count;
        if (ran && trace->steps[step].thread != nodes[node].event.thread)
            return (struct unfolded){UINT32_MAX, step - 1};
        dpor->at[step].waiting = nodes[node].next;
        dpor->now.below = nodes[node].child;
        wakeup_cut(&dpor->now.wakeup, node);
        wakeup_free_path(&dpor->now.wakeup, node);
        if (!ran)
            return (struct unfolded){UINT32_MAX, UINT32_MAX};
    }
    return (struct unfolded){step, UINT32_MAX};
}

/* The planned event at a step was a futile iteration: all that waits beside it and below it now
 * waits at that step. */
void dpor_do_without(struct dpor *dpor, uint32_t step)
{
    uint32_t below = dpor->now.below, beside = dpor->at[step].waiting;
    dpor->at[step].waiting = 0;
    dpor_add_again(dpor, step, below);
    dpor_add_again(dpor, step, beside);
}

/* The planned event at a step had an effect: the trees that wait below it can be run. */
void dpor_do_again(struct dpor *dpor, uint32_t step)
{
    wakeup_push(&dpor->now.wakeup, &dpor->at[step].waiting, &dpor->taken[step]);
    dpor->now.wakeup.nodes[dpor->at[step].waiting].child = dpor->now.below;
}
