#include "runtime/worker/checkpoint.h"

#include <string.h>

#include "base/os.h"
#include "runtime/snapshot/snapshot.h"
#include "strategy/alternative.h"

enum {
    TAKE_UNKNOWN = 2, /* executions: what it takes to take one, before it was measured */
    DOUBT_MAX = 1 << 10,
    EARLY = 4, /* a step is, if it comes by so many times sooner behind the last one than the
                  average does */
    STEPS_AVERAGED = 1 << 18, /* what a step takes is measured over so many */
    BYTES_MAX = 1 << 28,      /* of all behind the first, or less if --memory says so */
    NEAR = 16,                /* steps: so few are run again sooner than pages are put back */
    NO_STEP = UINT32_MAX,
};

static bool may_take(void)
{
    return rt.options->checkpoint != CHECKPOINTS_NONE && !rt.options->detail &&
           !rt.carriers.kernel_threads && rt.options->isolate != ISOLATE_FORK &&
           rt.options->isolate != ISOLATE_EXEC;
}

static uint64_t bytes_max(void)
{
    uint64_t given = rt.options->memory_max;
    return given != 0 && given < BYTES_MAX ? given : BYTES_MAX;
}

static const struct level *last_level(void)
{
    return &rt.worker.checkpoint.levels[rt.worker.checkpoint.count - 1];
}

static uint32_t last_steps(void)
{
    return rt.worker.checkpoint.count > 0 ? last_level()->steps : 0;
}

static void measure_anew(void)
{
    rt.worker.checkpoint.missed = rt.worker.checkpoint.misses = 0;
    rt.worker.checkpoint.lowest = NO_STEP;
}

/* At a step; 0: at the first decision. */
static void want_at(uint32_t step)
{
    rt.checkpoint_wanted = may_take();
    rt.worker.checkpoint.wanted = step;
}

/* A time converted to steps. */
static uint64_t in_steps(uint64_t nanoseconds)
{
    uint64_t run = rt.worker.checkpoint.time.run, steps = rt.worker.checkpoint.time.steps;
    return run == 0 ? 0 : nanoseconds * steps / run;
}

static uint64_t cost_in_steps(void)
{
    uint64_t cost = in_steps(rt.worker.checkpoint.time.cost);
    return cost > 0 ? cost : TAKE_UNKNOWN * (uint64_t)rt.trace.count;
}

static void learn_use(uint32_t number)
{
    struct checkpoint *at = &rt.worker.checkpoint;
    uint32_t before = number > 0 ? at->levels[number - 1].steps : 0;
    uint64_t saved = at->levels[number].used * (at->levels[number].steps - before);
    if (saved < cost_in_steps())
        at->doubt = at->doubt < DOUBT_MAX ? 2 * at->doubt : DOUBT_MAX;
    else
        at->doubt = at->doubt > 1 ? at->doubt / 2 : 1;
}

static void drop(uint32_t from)
{
    struct checkpoint *at = &rt.worker.checkpoint;
    if (from >= at->count)
        return;
    for (; at->count > from; at->count--) {
        if (at->count > 1) /* the first is there whatever it takes */
            learn_use(at->count - 1);
        rt.setups[at->count - 1] = NO_GENERATION;
    }
    snapshot_drop(from);
    measure_anew();
    if (from == 0)
        want_at(0);
}

void checkpoint_anew(void)
{
    drop(0);
    want_at(0);
    measure_anew();
    rt.worker.checkpoint.not_before = 0;
    rt.worker.checkpoint.doubt = 1;
    memset(&rt.worker.checkpoint.time, 0, sizeof rt.worker.checkpoint.time);
}

bool checkpoint_is_at(uint32_t step)
{
    return rt.checkpoint_wanted && rt.worker.checkpoint.wanted != 0 &&
           rt.worker.checkpoint.wanted == step;
}

bool checkpoint_is_at_decision(void)
{
    return rt.checkpoint_wanted && rt.worker.checkpoint.wanted == 0;
}

/* Measurements twice as long as usual are ignored: something else held them up. */
static void take_in(uint64_t *usual, uint64_t measured)
{
    if (*usual == 0 || measured < 2 * *usual)
        *usual = measured;
    else
        *usual += *usual / 4;
}

static void note_run(uint64_t time, uint64_t steps)
{
    rt.worker.checkpoint.time.run += time;
    rt.worker.checkpoint.time.steps += steps;
    if (rt.worker.checkpoint.time.steps > STEPS_AVERAGED) {
        rt.worker.checkpoint.time.run /= 2;
        rt.worker.checkpoint.time.steps /= 2;
    }
}

void checkpoint_time_begins(void)
{
    if (unlikely(rt.checkpoint_wanted))
        rt.worker.checkpoint.time.begun = os_cpu_nanoseconds();
}

/* The steps that are run again, on the way to where it is taken. */
static void time_way(void)
{
    rt.worker.checkpoint.time.taken = os_cpu_nanoseconds();
    if (rt.worker.checkpoint.count > 0)
        note_run(rt.worker.checkpoint.time.taken - rt.worker.checkpoint.time.begun,
                 rt.trace.count - last_steps());
}

/* The cost of a checkpoint: the time that the rest of the execution took beyond its steps,
 * including the search for pages written behind it. */
void checkpoint_time_ends(void)
{
    struct checkpoint *at = &rt.worker.checkpoint;
    if (likely(at->time.taken == 0))
        return;
    uint64_t rest = os_cpu_nanoseconds() - at->time.taken, steps = rt.trace.count - last_steps();
    at->time.taken = 0;
    if (at->count < 2) {
        note_run(rest, steps + 1);
        return;
    }
    uint64_t usual = steps * at->time.run / (at->time.steps + 1);
    take_in(&at->time.cost, rest > 2 * usual ? rest - usual : rest / 2 + 1);
}

static char *flight_rest(void)
{
    return (char *)&the_board->flight + CHECKPOINT_FLIGHT;
}

static uint32_t last_decision(uint32_t from)
{
    uint32_t decided = rt.worker.checkpoint.count > 0 ? last_level()->decided : 0;
    for (uint32_t i = from; i < rt.trace.count; i++)
        if (rt.trace.steps[i].alternatives > 1)
            decided = i + 1;
    return decided;
}

/* Two buffers begin with the steps before a checkpoint. */
static void copy_steps(uint32_t from)
{
    uint32_t first = trace_touches_begin(rt.trace.steps, from),
             end = trace_touches_begin(rt.trace.steps, rt.trace.count);
    for (int i = 0; i < 2; i++) {
        struct step *steps = board_at(the_board, the_board->layout.steps[i]);
        if (steps != rt.trace.steps)
            memcpy(steps + from, rt.trace.steps + from, (rt.trace.count - from) * sizeof *steps);
        struct touch *touches = board_at(the_board, the_board->layout.touches[i]);
        if (rt.notes && touches != rt.trace.touches)
            memcpy(touches + first, rt.trace.touches + first, (end - first) * sizeof *touches);
    }
}

static bool can_take(void)
{
    return world_is_checkable() && the_board->flight.finding_count == 0 &&
           the_board->flight.site_count == 0 && snapshot_has_room() &&
           (rt.worker.checkpoint.count == 0 || snapshot_kept() + snapshot_size() <= bytes_max());
}

bool checkpoint_take(void)
{
    struct checkpoint *at = &rt.worker.checkpoint;
    rt.checkpoint_wanted = false;
    if (!can_take()) {
        at->not_before = 2 * rt.worker.executions;
        return false;
    }
    time_way();
    uint32_t from = last_steps();
    struct level *level = &at->levels[at->count];
    *level = (struct level){.steps = rt.trace.count, .decided = last_decision(from)};
    memcpy(level->flight, flight_rest(), sizeof level->flight);
    snapshot_checkpoint();
    rt.setups[at->count++] = rt.generation;
    copy_steps(from);
    measure_anew();
    return true;
}

/* The place in the schedule of the first decision that it lists for this step or a later one. */
static uint32_t first_listed(uint32_t step)
{
    uint32_t low = 0, high = rt.schedule.prefix_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rt.schedule.prefix[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void checkpoint_return(void)
{
    struct level *level = &rt.worker.checkpoint.levels[rt.worker.checkpoint.count - 1];
    level->used++;
    memcpy(flight_rest(), level->flight, sizeof level->flight);
    rt.trace.count = level->steps;
    if (rt.schedule.check_step < rt.trace.count) /* the steps before are what they were */
        rt.schedule.check_step = 0;
    rt.position = first_listed(rt.trace.count);
    schedule_look_ahead();
}

/* The decisions that a schedule lists; those of the one before are in the other buffer. */
static const struct decision *listed_by(uint32_t which, uint32_t *count)
{
    *count = the_board->schedule[which].count;
    return board_at(the_board, the_board->layout.decisions[which]);
}

static bool is_taken(const struct decision *decision, const struct trace *before)
{
    return decision->step < before->count &&
           before->steps[decision->step].thread == decision->thread &&
           before->steps[decision->step].choice == decision->choice;
}

static bool is_default(const struct trace *before, uint32_t step)
{
    const struct step *at = &before->steps[step];
    return at->alternatives == 1 || (at->choice == 0 && at->thread == default_thread(before, step));
}

/* A strategy of its own mind: what it lists is the same and what it does not list was the default,
 * up to the last that it lists. */
static uint32_t first_change_within(const struct decision *listed, uint32_t count,
                                    const struct trace *before)
{
    uint32_t step = 0;
    for (uint32_t i = 0; i < count; i++, step++) {
        for (; step < listed[i].step; step++)
            if (step >= before->count || !is_default(before, step))
                return step;
        if (!is_taken(&listed[i], before))
            return step;
    }
    return step;
}

/* The first step that the plan may decide otherwise than the execution before did. */
static uint32_t first_change(void)
{
    uint32_t which = the_board->which, new_count, old_count, i = 0;
    const struct decision *new = listed_by(which, &new_count),
                          *old = listed_by(1 - which, &old_count);
    struct trace before = {.steps = board_at(the_board, the_board->layout.steps[1 - which]),
                           .count = rt.trace.count};
    bool own_mind = rt.choose != choose_default;
    if (own_mind && !strategy_reduces(rt.strategy, the_board->state))
        return first_change_within(new, new_count, &before);
    while (i < new_count && i < old_count && memcmp(&new[i], &old[i], sizeof *new) == 0)
        i++;
    if (own_mind) { /* a reduction lists all decisions, unless what it does not list is the default
                     */
        while (i < new_count && is_taken(&new[i], &before))
            i++;
        return i < new_count ? new[i].step : new_count > 0 ? new[new_count - 1].step + 1 : 0;
    }
    uint32_t step = before.count;
    if (i < new_count && new[i].step < step)
        step = new[i].step;
    if (i < old_count && old[i].step < step)
        step = old[i].step;
    return step;
}

static void drop_behind(uint32_t step)
{
    uint32_t stay = rt.worker.checkpoint.count;
    while (stay > 0 && rt.worker.checkpoint.levels[stay - 1].decided > step)
        stay--;
    drop(stay);
}

/* Behind what the plan lists a strategy goes on from what it has chosen before, which is no part of
 * a checkpoint. */
void checkpoint_keep(void)
{
    uint32_t count;
    const struct decision *listed = listed_by(the_board->which, &count);
    if (rt.choose != choose_default)
        drop_behind(count > 0 ? listed[count - 1].step + 1 : 0);
}

/* For tests: at other steps each time, several behind each other, and away from there when an
 * execution has begun at the last. */
static void force(void)
{
    struct checkpoint *at = &rt.worker.checkpoint;
    if (at->count > 1 && last_level()->used == 0)
        return;
    uint32_t number = at->forced++;
    if (number % 7 == 6)
        drop(1 + number / 7 % at->count);
    uint32_t from = last_steps(), rest = rt.trace.count > from ? rt.trace.count - from : 0;
    if (rest > 1)
        want_at(from + 1 + number % (rest < 4 ? rest : rest / 2));
}

/* With no room for one more it takes the place of all but the first. */
static void want_half_way(void)
{
    struct checkpoint *at = &rt.worker.checkpoint;
    uint32_t step = last_steps() + (at->lowest - last_steps() + 1) / 2;
    if (at->count == LEVELS_MAX ||
        (at->count > 1 && snapshot_kept() + snapshot_kept() / (at->count - 1) > bytes_max()))
        drop(1);
    want_at(step);
}

static void place(uint32_t change)
{
    struct checkpoint *at = &rt.worker.checkpoint;
    uint32_t from = last_steps();
    if (change <= from)
        return;
    at->missed += change - from;
    at->misses++;
    at->lowest = change < at->lowest ? change : at->lowest;
    if (rt.worker.executions < at->not_before || at->missed <= at->doubt * cost_in_steps())
        return;
    if ((at->lowest - from) * at->misses * EARLY >= at->missed && at->lowest > from + NEAR)
        want_half_way();
    else /* a single one was changed early, or they go to and fro */
        measure_anew();
}

void checkpoint_place(void)
{
    struct checkpoint *at = &rt.worker.checkpoint;
    if (!may_take())
        return;
    bool reduces = strategy_reduces(rt.strategy, the_board->state);
    /* The execution before is that of the plan before, and iterated no loop that this one does not.
     */
    bool follows = rt.worker.plans == at->planned + 1 && reduces == at->reduced;
    at->planned = rt.worker.plans;
    at->reduced = reduces;
    uint32_t change = follows ? first_change() : 0;
    drop_behind(change);
    if (at->count == 0)
        return;
    rt.checkpoint_wanted = false;
    if (rt.options->checkpoint == CHECKPOINTS_FORCED)
        force();
    else
        place(change);
}
