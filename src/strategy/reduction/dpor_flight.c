/* The execution in flight: choose() follows the plan, then the sequence that waits below the goal,
 * then any thread that does not sleep. A sleeping event wakes at a step that depends on it. If all
 * enabled threads sleep, the rest was explored elsewhere, and the execution is cut. */
#include "strategy/reduction/dpor.h"

static void wake(struct dpor *dpor, const struct choice_point *at, uint32_t step)
{
    struct event taken;
    if (dpor_is_idle(dpor, &at->steps[step]))
        return;
    event_load(&taken, at->steps, at->touches, step);
    uint32_t kept = 0;
    dpor->flight.threads = (thread_set){0};
    for (uint32_t i = 0; i < dpor->flight.count; i++) {
        if (events_depend(&dpor->resting[i], &taken))
            continue;
        dpor->resting[kept++] = dpor->resting[i];
        thread_set_add(&dpor->flight.threads, dpor->resting[i].thread);
    }
    dpor->flight.count = kept;
}

static bool is_resting(const struct dpor *dpor, thread_id thread, uint16_t choice)
{
    if (!thread_set_has(&dpor->flight.threads, thread))
        return false;
    for (uint32_t i = 0; i < dpor->flight.count; i++)
        if (dpor->resting[i].thread == thread && dpor->resting[i].choice == choice)
            return true;
    return false;
}

static void begin_flight(struct dpor *dpor)
{
    const struct event *asleep = dpor->plans[dpor->now.plan].asleep;
    dpor->flight.count = dpor->now.asleep_count;
    dpor->flight.looked = dpor->now.from;
    dpor->flight.below = dpor->now.below;
    dpor->flight.last = dpor->now.goal.step;
    dpor->flight.unsure = true;
    dpor->flight.threads = (thread_set){0};
    for (uint32_t i = 0; i < dpor->now.asleep_count; i++) {
        dpor->resting[i] = asleep[i];
        thread_set_add(&dpor->flight.threads, asleep[i].thread);
    }
}

/* Whether the last thread is about to yield, and so perhaps at the end of a futile iteration. */
static bool goes_round(const struct dpor *dpor, const struct choice_point *at)
{
    const struct op *op = &at->pending[at->last];
    return dpor->order.forgets && (op->kind == OP_YIELD || op->kind == OP_SLEEP) &&
           thread_set_has(&at->enabled, at->last) && !is_resting(dpor, at->last, 0);
}

static struct decision follow_goal(const struct choice_point *at, struct decision goal)
{
    bool fits =
        thread_set_has(&at->enabled, goal.thread) && goal.choice < at->pending[goal.thread].choices;
    return fits ? goal : (struct decision){.step = at->step, .thread = NO_THREAD};
}

/* Whether the planned event was a futile iteration, so that nothing new follows. */
static bool was_in_vain(const struct dpor *dpor, const struct choice_point *at)
{
    return dpor->now.goal.thread != NO_THREAD && dpor->flight.last < at->step &&
           dpor_is_idle(dpor, &at->steps[dpor->flight.last]);
}

/* Follows the trees below the goal. A loop that yields shows only after the yield whether its
 * iteration was futile; the sequence below is then run in another execution. */
static struct decision follow_below(struct dpor *dpor, const struct choice_point *at)
{
    const struct wakeup_node *node = &dpor->now.wakeup.nodes[dpor->flight.below];
    struct decision next = {at->step, node->event.thread, node->event.choice};
    if (dpor->flight.unsure && next.thread != at->last && goes_round(dpor, at))
        return (struct decision){at->step, at->last, 0};
    if (dpor->flight.unsure && at->step > dpor->flight.last + 1)
        return (struct decision){.step = at->step, .thread = NO_THREAD};
    dpor->flight.below = node->child;
    dpor->flight.last = at->step;
    dpor->flight.unsure = node->event.footprint.unsure;
    return follow_goal(at, next);
}

struct decision dpor_choose(struct pilot *pilot, const struct choice_point *at)
{
    struct dpor *dpor = (struct dpor *)pilot->state;
    struct decision none = {.step = at->step, .thread = NO_THREAD};
    if (pilot->position == 0)
        begin_flight(dpor);
    pilot_looked(pilot, at);
    if (at->step < dpor->now.from) /* the step has no alternative */
        return decision_nth(at, 0);
    struct decision goal = dpor->now.goal;
    if (goal.thread != NO_THREAD && goal.step == at->step) {
        goal = follow_goal(at, goal);
        /* If the thread of the goal is disabled, other threads continue: an event that can come
         * beside the goal waits nowhere else. */
        if (goal.thread != NO_THREAD || dpor->now.below != 0)
            return goal;
    }
    if (was_in_vain(dpor, at))
        return none;
    if (dpor->flight.below != 0)
        return follow_below(dpor, at);
    if (goes_round(dpor, at)) /* wake() looks at the step before once that is known */
        return (struct decision){at->step, at->last, 0};
    for (; dpor->flight.count > 0 && dpor->flight.looked < at->step; dpor->flight.looked++)
        wake(dpor, at, dpor->flight.looked);
    if (dpor->flight.count == 0)
        return decision_nth(at, 0);
    thread_id first = thread_set_next_around(&at->enabled, at->last), thread = first;
    do {
        for (uint16_t choice = 0; choice < at->pending[thread].choices; choice++)
            if (!is_resting(dpor, thread, choice))
                return (struct decision){at->step, thread, choice};
        thread = thread_set_next_around(&at->enabled, thread + 1u);
    } while (thread != first);
    return none;
}
