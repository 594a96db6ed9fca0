#include "runtime/checkpoint.h"

#include <string.h>

#include "base/os.h"
#include "runtime/board.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/snapshot.h"

enum {
    COST_UNKNOWN = 16, /* executions: what it costs to move there and away again */
    COST_LEAST = 4,
    COST_TIMES = 8, /* what one move takes at least: two of them, and caches that have to be filled */
    LOOK_EVERY = 32, /* executions */
    WORTH = 1024, /* what a whole execution is worth */
    GAIN_LEAST = WORTH / 32,
};

static bool may_take(void)
{
    return rt.options->checkpoint && !rt.options->detail && !rt.kernel_threads &&
           rt.options->isolate != ISOLATE_FORK && rt.options->isolate != ISOLATE_EXEC;
}

static bool is_taken(void)
{
    return rt.setup_generation != NO_GENERATION;
}

/* At a step; 0: at the first decision. */
static void want_at(uint32_t step)
{
    rt.checkpoint.wanted_at = os_nanoseconds();
    if (is_taken())
        snapshot_restart();
    rt.setup_generation = NO_GENERATION;
    rt.checkpoint_wanted = may_take();
    rt.checkpoint.step = step;
    rt.checkpoint.changed = false;
}

void checkpoint_anew(void)
{
    want_at(0);
    rt.checkpoint.mark_count = 0;
    rt.checkpoint.began = rt.executions;
    rt.checkpoint.not_before = 0;
    rt.checkpoint.cost = COST_UNKNOWN;
    rt.checkpoint.least = rt.checkpoint.each = 0;
}

bool checkpoint_is_at(uint32_t step)
{
    return rt.checkpoint_wanted && rt.checkpoint.step != 0 && rt.checkpoint.step == step;
}

bool checkpoint_is_at_decision(void)
{
    return rt.checkpoint_wanted && rt.checkpoint.step == 0;
}

/* To leave the one before, and to come to this one from the start. What gets in the way only makes it longer. */
static void measure_cost(void)
{
    uint64_t took = os_nanoseconds() - rt.checkpoint.wanted_at;
    if (rt.checkpoint.step == 0 || rt.checkpoint.each == 0)
        return;
    if (rt.checkpoint.least == 0 || took < rt.checkpoint.least)
        rt.checkpoint.least = took;
    rt.checkpoint.cost = COST_LEAST + COST_TIMES * rt.checkpoint.least / rt.checkpoint.each;
}

static uint32_t count_decisions(uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < end; i++)
        count += rt.trace.steps[i].alternatives > 1;
    return count;
}

bool checkpoint_take(void)
{
    rt.checkpoint_wanted = false;
    if (!world_is_checkable() || the_board->flight.finding_count > 0 ||
        the_board->flight.site_count > 0)
        return false;
    snapshot_checkpoint();
    rt.setup_generation = rt.generation;
    measure_cost();
    rt.checkpoint.decisions = count_decisions(rt.trace.count);
    rt.checkpoint.enabled_max = the_board->flight.enabled_max;
    rt.checkpoint.points = the_board->flight.points;
    rt.checkpoint.unreduced = the_board->flight.unreduced;
    rt.checkpoint.unpromoted = the_board->flight.unpromoted;
    /* Both buffers begin with the steps before it. */
    for (int i = 0; i < 2; i++) {
        struct step *steps = board_at(the_board, the_board->layout.steps[i]);
        if (steps != rt.trace.steps)
            memcpy(steps, rt.trace.steps, rt.trace.count * sizeof *steps);
        struct touch *touches = board_at(the_board, the_board->layout.touches[i]);
        if (rt.notes && touches != rt.trace.touches)
            memcpy(touches, rt.trace.touches,
                   trace_touches_begin(rt.trace.steps, rt.trace.count) * sizeof *touches);
    }
    return true;
}

void checkpoint_return(void)
{
    struct flight *flight = &the_board->flight;
    flight->enabled_max = rt.checkpoint.enabled_max;
    flight->points = rt.checkpoint.points;
    flight->unreduced = rt.checkpoint.unreduced;
    flight->unpromoted = rt.checkpoint.unpromoted;
    rt.trace.count = snapshots.checkpoint.steps;
    if (rt.schedule.check_step < rt.trace.count) { /* the steps before are what they were */
        rt.schedule.check_step = 0;
        schedule_look_ahead();
    }
    while (rt.next_listed < rt.trace.count) {
        rt.position++;
        schedule_look_ahead();
    }
}

void checkpoint_step_changes(uint32_t step)
{
    rt.checkpoint.changed |= is_taken() && step < snapshots.checkpoint.steps;
}

/* The plan lists all decisions before the checkpoint, and they are the same. */
static bool plan_comes_by(void)
{
    uint32_t which = the_board->which, end = snapshots.checkpoint.steps;
    const struct decision *prefix = board_at(the_board, the_board->layout.decisions[which]);
    const struct step *steps = board_at(the_board, the_board->layout.steps[which]);
    uint32_t count = rt.checkpoint.decisions;
    if (the_board->schedule[which].count < count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct step *step = &steps[prefix[i].step];
        if (prefix[i].step >= end || step->alternatives < 2 || step->thread != prefix[i].thread ||
            step->choice != prefix[i].choice)
            return false;
    }
    return true;
}

/* Marks say when a step was last the first to change, as far as nothing before it has changed since. */
static void mark(uint32_t step)
{
    uint32_t count = rt.checkpoint.mark_count;
    while (count > 0 && rt.checkpoint.marks[count - 1].step >= step)
        count--;
    if (count < CHECKPOINT_MARKS)
        rt.checkpoint.marks[count++] = (struct checkpoint_mark){step, rt.executions};
    rt.checkpoint.mark_count = count;
}

/* What it saves to begin there, of an execution, if that stays for as long again as it has. */
static int64_t worth_of(uint32_t step, uint64_t age)
{
    uint64_t steps = rt.trace.count;
    if (age == 0 || step >= steps)
        return 0;
    return (int64_t)(step * (uint64_t)WORTH / steps) - (int64_t)(rt.checkpoint.cost * WORTH / age);
}

/* The step that is worth most, and more than this; 0: none. */
static uint32_t find_best(int64_t most)
{
    uint32_t best = 0;
    uint64_t since = rt.checkpoint.began;
    for (uint32_t i = 0; i < rt.checkpoint.mark_count; i++) {
        const struct checkpoint_mark *at = &rt.checkpoint.marks[i];
        int64_t worth = worth_of(at->step, rt.executions - since);
        if (worth > most) {
            best = at->step;
            most = worth;
        }
        since = at->when;
    }
    return best;
}

/* It did not work out there: not again before as many executions as there have been. */
static void put_off(void)
{
    rt.checkpoint.not_before = 2 * rt.executions;
    want_at(0);
}

static void measure_execution(void)
{
    uint64_t now = os_nanoseconds();
    if (rt.checkpoint.looked_at != 0)
        rt.checkpoint.each = (now - rt.checkpoint.looked_at) / LOOK_EVERY + 1;
    rt.checkpoint.looked_at = now;
}

static void move_on(void)
{
    uint64_t steps = rt.trace.count;
    if (steps == 0 || rt.executions < rt.checkpoint.not_before)
        return;
    uint32_t best =
        find_best((int64_t)(snapshots.checkpoint.steps * (uint64_t)WORTH / steps) + GAIN_LEAST);
    if (best > snapshots.checkpoint.steps)
        want_at(best);
}

void checkpoint_place(void)
{
    if (!rt.strategy->reduces || !may_take() || rt.checkpoint_wanted)
        return;
    mark(the_board->schedule[the_board->which].check_step);
    if (!is_taken() && rt.checkpoint.step == 0)
        return;
    if (rt.executions % LOOK_EVERY == 0)
        measure_execution();
    if (!is_taken() || rt.checkpoint.changed)
        put_off();
    else if (!plan_comes_by())
        want_at(find_best(0));
    else if (rt.executions % LOOK_EVERY == 0)
        move_on();
}
