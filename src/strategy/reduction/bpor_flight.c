/* The execution in flight: choose() follows the plan, then any thread that does not sleep, as long
 * as the bound allows. */
#include <string.h>

#include "strategy/reduction/bpor_state.h"

static void look_on(struct bpor *bpor, const struct choice_point *at, uint32_t step)
{
    bpor->flight.cost += step_preempts(at->steps, step);
    if (bpor->flight.count == 0)
        return;
    struct event taken;
    event_load(&taken, at->steps, at->touches, step);
    const thread_set *enabled = step + 1 < at->step ? &at->steps[step + 1].enabled : &at->enabled;
    const struct op *stopped =
        bpor_stopped_at(bpor, at->steps, at->step, step, enabled, at->pending);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bpor->flight.count; i++)
        if (!bpor_wakes(&bpor->resting[i], &taken, stopped))
            bpor->resting[kept++] = bpor->resting[i];
    bpor->flight.count = kept;
}

static bool is_resting(const struct bpor *bpor, thread_id thread)
{
    for (uint32_t i = 0; i < bpor->flight.count; i++)
        if (bpor->resting[i].thread == thread)
            return true;
    return false;
}

/* Adds the events that fell asleep before a step of an adopted plan, which only has its levels. */
static void put_to_rest(struct bpor *bpor, uint32_t step)
{
    const struct level *levels = bpor->plans[bpor->now.plan].levels;
    const struct wakeup_node *nodes = bpor->now.nodes.nodes;
    uint32_t i = 0;
    while (i < bpor->now.level_count && levels[i].step < step)
        i++;
    if (i == bpor->now.level_count || levels[i].step != step)
        return;
    for (uint32_t node = levels[i].sets.asleep; node != 0; node = nodes[node].next)
        if (bpor->flight.count < SLEEPERS_MAX)
            bpor->resting[bpor->flight.count++] = nodes[node].event;
}

struct decision bpor_choose(struct pilot *pilot, const struct choice_point *at)
{
    struct bpor *bpor = (struct bpor *)pilot->state;
    struct decision none = {.step = at->step, .thread = NO_THREAD};
    if (pilot->position == 0) {
        bpor->flight.count = bpor->now.asleep_count;
        bpor->flight.looked = bpor->now.adopted ? 0 : bpor->now.from;
        bpor->flight.cost = bpor->now.cost;
        memcpy(bpor->resting, bpor->plans[bpor->now.plan].asleep,
               bpor->now.asleep_count * sizeof *bpor->resting);
    }
    pilot_looked(pilot, at);
    for (; bpor->flight.looked < at->step; bpor->flight.looked++) {
        if (bpor->now.adopted && bpor->flight.looked <= bpor->now.from)
            put_to_rest(bpor, bpor->flight.looked);
        look_on(bpor, at, bpor->flight.looked);
    }
    thread_id first = thread_set_next_around(&at->enabled, at->last), thread = first;
    if (!is_resting(bpor, first))
        return decision_nth(at, 0);
    bool costs = at->step > 0 && first == at->last && !at->last_gave_way;
    for (;;) {
        thread = thread_set_next_around(&at->enabled, thread + 1u);
        if (thread == first)
            return none;
        if (!is_resting(bpor, thread))
            break;
    }
    if (costs && bpor->flight.cost == (uint32_t)bpor->now.bound) {
        bpor->flight.beyond = bpor->now.learned + 1;
        return none;
    }
    return (struct decision){at->step, thread, 0};
}
