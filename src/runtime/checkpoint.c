#include "runtime/checkpoint.h"

#include <string.h>

#include "base/os.h"
#include "runtime/board.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/snapshot.h"
#include "strategy/alternative.h"

enum {
    MOVE_UNKNOWN = 4, /* executions: what it takes to move, before it was measured */
    MOVE_TIMES = 4,   /* what one move takes: it also fills caches, and learns anew which pages are written */
    LOOK_EVERY = 1 << 13, /* steps: how often the clock is looked at */
    GAIN_LEAST = 32,  /* what is gained by a move, at least one so-manieth of an execution */
    RISK = 16,        /* moves may have cost one so-manieth of all that was run more than they have saved */
    BYTES_MAX = 1 << 28, /* of a checkpoint behind the first decision */
};

static bool may_take(void)
{
    return rt.options->checkpoint != CHECKPOINTS_NONE && !rt.options->detail && !rt.kernel_threads &&
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
    rt.checkpoint.wanted_by = rt.executions;
    rt.checkpoint.step = step;
    rt.checkpoint.changed = false;
}

void checkpoint_anew(void)
{
    want_at(0);
    rt.checkpoint.forecast = (struct forecast){0};
    rt.checkpoint.not_before = 0;
    rt.checkpoint.move = rt.checkpoint.run = rt.checkpoint.saved = rt.checkpoint.spent = 0;
    rt.checkpoint.looked_at = os_nanoseconds();
    rt.checkpoint.looked_run = 0;
}

bool checkpoint_is_at(uint32_t step)
{
    return rt.checkpoint_wanted && rt.checkpoint.step != 0 && rt.checkpoint.step == step;
}

bool checkpoint_is_at_decision(void)
{
    return rt.checkpoint_wanted && rt.checkpoint.step == 0;
}

static bool leaves_default(uint32_t number)
{
    const struct step *step = &rt.trace.steps[number];
    return step->choice != 0 || step->thread != default_thread(&rt.trace, number);
}

/* What a plan must list to come by. */
static void note_decisions(void)
{
    rt.checkpoint.deviations = rt.checkpoint.decided = 0;
    for (uint32_t i = 0; i < rt.trace.count; i++)
        if (rt.trace.steps[i].alternatives > 1) {
            rt.checkpoint.decided = i + 1;
            rt.checkpoint.deviations += leaves_default(i);
        }
}

/* Nearly as it is measured; what is twice as long as usual was held up by something else. */
static void take_in(uint64_t *usual, uint64_t measured)
{
    if (*usual == 0 || measured < 2 * *usual)
        *usual = measured;
    else
        *usual += *usual / 4;
}

/* To leave the one before, and to come to this one from the start. */
static void measure_move(void)
{
    uint64_t now = os_nanoseconds();
    if (rt.checkpoint.step != 0)
        take_in(&rt.checkpoint.move, now - rt.checkpoint.wanted_at);
    rt.checkpoint.looked_at += now - rt.checkpoint.wanted_at; /* it is none of what steps take */
}

static char *flight_rest(void)
{
    return (char *)&the_board->flight + CHECKPOINT_FLIGHT;
}

bool checkpoint_take(void)
{
    rt.checkpoint_wanted = false;
    if (!world_is_checkable() || the_board->flight.finding_count > 0 ||
        the_board->flight.site_count > 0)
        return false;
    if (rt.checkpoint.step == 0)
        rt.checkpoint.first = rt.trace.count;
    else if (snapshot_size() > BYTES_MAX)
        return false;
    snapshot_checkpoint();
    rt.setup_generation = rt.generation;
    measure_move();
    note_decisions();
    memcpy(rt.checkpoint.flight, flight_rest(), sizeof rt.checkpoint.flight);
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
    memcpy(flight_rest(), rt.checkpoint.flight, sizeof rt.checkpoint.flight);
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

/* The decisions that a schedule lists; those of the one before are in the other buffer. */
static const struct decision *listed_by(uint32_t which, uint32_t *count)
{
    *count = the_board->schedule[which].count;
    return board_at(the_board, the_board->layout.decisions[which]);
}

/* Behind the last of them; beyond that a strategy may choose what it likes. */
static uint32_t listed_end(const struct decision *listed, uint32_t count)
{
    return count > 0 ? listed[count - 1].step + 1 : 0;
}

/* The plan decides each step before the checkpoint as it was: all that left the default is listed and all that is
 * listed is the same, and what is behind it is left to nobody. */
static bool plan_comes_by(void)
{
    uint32_t which = the_board->which, end = snapshots.checkpoint.steps, count, deviations = 0;
    const struct decision *listed = listed_by(which, &count);
    struct trace before = {.steps = board_at(the_board, the_board->layout.steps[which])};
    if (rt.choose != choose_default && listed_end(listed, count) < rt.checkpoint.decided)
        return false;
    for (uint32_t i = 0; i < count && listed[i].step < end; i++) {
        const struct step *step = &before.steps[listed[i].step];
        if (step->thread != listed[i].thread || step->choice != listed[i].choice)
            return false;
        deviations += step->alternatives > 1 &&
                      (step->choice != 0 || step->thread != default_thread(&before, listed[i].step));
    }
    return deviations == rt.checkpoint.deviations;
}

void checkpoint_keep(void)
{
    if (is_taken() && !plan_comes_by())
        want_at(0);
}

/* The first step that the plan changes, as far as it shows in what is listed. */
static uint32_t first_change(void)
{
    uint32_t which = the_board->which, new_count, old_count, i = 0;
    const struct decision *new = listed_by(which, &new_count), *old = listed_by(1 - which, &old_count);
    if (strategy_reduces(rt.strategy, the_board->state)) /* which lists all that stays */
        return the_board->schedule[which].check_step;
    while (i < new_count && i < old_count && memcmp(&new[i], &old[i], sizeof *new) == 0)
        i++;
    uint32_t step = rt.trace.count;
    if (i < new_count && new[i].step < step)
        step = new[i].step;
    if (i < old_count && old[i].step < step)
        step = old[i].step;
    if (rt.choose == choose_default)
        return step;
    uint32_t new_end = listed_end(new, new_count), old_end = listed_end(old, old_count);
    step = new_end < step ? new_end : step;
    return old_end < step ? old_end : step;
}

/* What a time is worth, in steps. */
static uint64_t in_steps(uint64_t nanoseconds)
{
    return nanoseconds / rt.checkpoint.each;
}

static void measure_steps(void)
{
    uint64_t now = os_nanoseconds(), run = rt.checkpoint.run - rt.checkpoint.looked_run;
    take_in(&rt.checkpoint.each, (now - rt.checkpoint.looked_at) / run + 1);
    rt.checkpoint.looked_at = now;
    rt.checkpoint.looked_run = rt.checkpoint.run;
}

/* 0: there is nothing to be gained, or too much was lost already. */
static uint32_t find_best(uint32_t from)
{
    const struct checkpoint *at = &rt.checkpoint;
    if (rt.executions < at->not_before || at->each == 0 || at->spent > at->saved + at->run / RISK)
        return 0;
    uint64_t cost = at->move > 0 ? MOVE_TIMES * in_steps(at->move) : MOVE_UNKNOWN * (uint64_t)rt.trace.count;
    uint32_t best = forecast_best(&at->forecast, from, cost, rt.trace.count / GAIN_LEAST);
    return best > at->first ? best : 0;
}

static void move_to(uint32_t step)
{
    want_at(step);
    if (step != 0 && rt.checkpoint.move > 0)
        rt.checkpoint.spent += MOVE_TIMES * in_steps(rt.checkpoint.move);
}

/* It did not work out there: not again before as many executions as there have been. */
static void put_off(void)
{
    rt.checkpoint.not_before = 2 * rt.executions;
    want_at(0);
}

static void account(void)
{
    uint32_t from = is_taken() ? snapshots.checkpoint.steps : 0;
    rt.checkpoint.run += rt.trace.count > from ? rt.trace.count - from : 1;
    if (from > rt.checkpoint.first)
        rt.checkpoint.saved += from - rt.checkpoint.first;
}

/* For tests: at each step in turn, and away from there when an execution has begun at it. */
static void force(void)
{
    bool comes_by = is_taken() && rt.checkpoint.step != 0 && !rt.checkpoint.changed && plan_comes_by();
    if (comes_by && rt.checkpoint.wanted_by + 1 == rt.executions)
        return;
    uint32_t length = rt.trace.count > 0 ? rt.trace.count : 1;
    want_at(1 + rt.checkpoint.forced++ % length);
}

void checkpoint_place(void)
{
    struct checkpoint *at = &rt.checkpoint;
    if (!may_take())
        return;
    if (rt.options->checkpoint == CHECKPOINTS_FORCED) {
        force();
        return;
    }
    if (!is_taken() && at->step == 0)
        return;
    if (!is_taken() || at->changed) {
        if (!rt.checkpoint_wanted || at->wanted_by < rt.executions) /* there was none to be had */
            put_off();
        return;
    }
    account();
    forecast_note(&at->forecast, first_change());
    if (!plan_comes_by()) {
        move_to(find_best(at->first));
    } else if (at->run - at->looked_run >= LOOK_EVERY) {
        measure_steps();
        uint32_t best = find_best(snapshots.checkpoint.steps);
        if (best != 0)
            move_to(best);
    }
}
