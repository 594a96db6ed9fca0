/* Depth-first search: every interleaving, each once (VeriSoft, Godefroid 1997).
 *
 * The last trace and the decisions in which it leaves the default are all that the search keeps.
 * The deepest step with another alternative is changed next, with all steps before it kept. */
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/shares.h"
#include "strategy/stateful/cache.h"
#include "strategy/strategy.h"

extern const struct strategy strategy_dfs;

struct dfs {
    struct journal *journal;
    struct cache cache;
    uint32_t steps_max;
    /* Decisions in which the execution in flight leaves the default, by rising step. */
    struct decision *given; /* those of a subtree that is given away; scratch */
    struct decision *taken;
    struct {
        uint32_t count; /* number of `taken` */
        uint32_t check; /* fingerprint of the steps before the last decision of `taken` */
        uint32_t floor; /* steps before this one belong to other workers */
        uint8_t ended;
        uint8_t diverged; /* the program took another way: what is left is unknown */
        uint8_t begun;    /* the first execution of this subtree has run */
        uint64_t executions;
        uint64_t first; /* share of the tree before this subtree, in units of 2^-64 */
        uint64_t done;  /* share of subtrees searched before, in units of 2^-64 */
        struct estimate estimate;
    } now;
};

static void dfs_open(void *state, const struct strategy_options *options, struct arena *arena,
                     struct journal *journal)
{
    struct dfs *dfs = state;
    memset(dfs, 0, sizeof *dfs);
    dfs->journal = journal;
    dfs->steps_max = options->steps_max;
    dfs->now.ended = options->shared;
    dfs->taken = arena_take(arena, options->steps_max * sizeof *dfs->taken);
    dfs->given = arena_take(arena, options->steps_max * sizeof *dfs->given);
    cache_open(&dfs->cache, options, arena, journal);
}

static bool dfs_plan(void *state, struct schedule *next)
{
    const struct dfs *dfs = state;
    if (dfs->now.ended)
        return false;
    CHECK(dfs->now.count <= next->prefix_capacity);
    memcpy(next->prefix, dfs->taken, dfs->now.count * sizeof *dfs->taken);
    next->prefix_count = dfs->now.count;
    next->check_step = dfs->now.count > 0 ? dfs->taken[dfs->now.count - 1].step : 0;
    next->check = dfs->now.check;
    return true;
}

static struct decision dfs_choose_unseen(struct pilot *pilot, const struct choice_point *at)
{
    const struct dfs *dfs = pilot->state;
    return cache_choose(&dfs->cache, pilot, at, 0);
}

struct place {       /* Place of an execution in the tree, in units of 2^-64. */
    uint64_t before; /* share of the tree that lies before it */
    uint64_t share;  /* its own share */
};

/* The place of an execution if at each decision every thread has an equal share, and each outcome
 * an equal part of that. */
static struct place place_of(const struct trace *trace)
{
    struct place place = {.share = UINT64_MAX};
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        if (step->alternatives == 1)
            continue;
        place.share /= thread_set_count(&step->enabled);
        place.before += place.share * trace_step_delays(trace, i);
        place.share /= step->op.choices;
        place.before += place.share * step->choice;
    }
    return place;
}

/* Notes the share of the tree that this worker has searched; other workers may have other parts. */
static void note_share(struct dfs *dfs, const struct trace *trace)
{
    bool due = shares_are_due(dfs->now.executions);
    if (!due && dfs->now.begun && !dfs->now.ended)
        return;
    struct place place = place_of(trace);
    if (!dfs->now.begun)
        dfs->now.first = place.before;
    dfs->now.begun = true;
    uint64_t seen = dfs->now.done + place.before - dfs->now.first;
    dfs->now.estimate.kind = ESTIMATE_SHARES;
    if (due)
        shares_note(&dfs->now.estimate, dfs->now.executions, seen);
    if (dfs->now.ended)
        dfs->now.done = seen + place.share;
}

static uint32_t steps_planned(const struct dfs *dfs)
{
    return dfs->now.count > 0 ? dfs->taken[dfs->now.count - 1].step + 1 : 0;
}

static void dfs_learn(void *state, const struct trace *trace)
{
    struct dfs *dfs = state;
    journal_save(dfs->journal, &dfs->now, sizeof dfs->now);
    dfs->now.executions++;
    cache_learn(&dfs->cache);
    dfs->now.diverged = trace->outcome == OUTCOME_DIVERGED || trace->count < steps_planned(dfs);
    struct decision decision =
        dfs->now.diverged ? no_alternative() : deepest_alternative(trace, dfs->now.floor);
    dfs->now.ended = decision.thread == NO_THREAD;
    note_share(dfs, trace);
    if (dfs->now.ended) {
        dfs->now.count = 0;
        return;
    }
    dfs->now.check = schedule_check(trace->steps[decision.step].fingerprint);
    dfs->now.count = decisions_branch(dfs->taken, dfs->now.count, decision, dfs->journal);
}

static struct decision shallowest_alternative(const struct trace *trace, uint32_t first,
                                              uint32_t end)
{
    for (uint32_t step = first; step < end; step++) {
        if (trace->steps[step].alternatives == 1)
            continue;
        struct decision decision = next_alternative(trace, step);
        if (decision.thread != NO_THREAD)
            return decision;
    }
    return no_alternative();
}

/* Gives away the shallowest step with an alternative left, which is the largest piece. The deepest
 * one is what this search does next. */
static bool dfs_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct dfs *dfs = state;
    if (dfs->now.ended)
        return false;
    struct decision first =
        shallowest_alternative(trace, dfs->now.floor, dfs->taken[dfs->now.count - 1].step);
    uint32_t count = 0;
    while (dfs->taken[count].step < first.step)
        count++;
    if (first.thread == NO_THREAD || !parcel_has_room(out, count + 1))
        return false;
    memcpy(dfs->given, dfs->taken, count * sizeof *dfs->given);
    dfs->given[count] = first;
    struct subtree given = strategy_whole(&strategy_dfs, 0);
    given.floor = first.step;
    given.check = schedule_check(trace->steps[first.step].fingerprint);
    given.prefix = dfs->given;
    given.prefix_count = count + 1;
    parcel_put(out, &given);
    journal_save(dfs->journal, &dfs->now, sizeof dfs->now);
    dfs->now.floor = first.step + 1;
    return true;
}

static bool dfs_adopt(void *state, const struct subtree *subtree)
{
    struct dfs *dfs = state;
    uint32_t count = subtree->prefix_count;
    if (!dfs->now.ended || count > dfs->steps_max ||
        (count > 0 && subtree->floor != subtree->prefix[count - 1].step))
        return false;
    journal_save(dfs->journal, &dfs->now, sizeof dfs->now);
    memcpy(dfs->taken, subtree->prefix, count * sizeof *dfs->taken);
    dfs->now.count = count;
    dfs->now.check = subtree->check;
    dfs->now.floor = subtree->floor;
    dfs->now.ended = dfs->now.begun = false;
    return true;
}

static struct progress dfs_progress(const void *state)
{
    const struct dfs *dfs = state;
    return (struct progress){
        .claim = dfs->now.diverged          ? CLAIM_NOTHING
                 : cache_is_on(&dfs->cache) ? CLAIM_ALL_CLASSES
                                            : CLAIM_ALL,
        .complete = dfs->now.ended && !dfs->now.diverged,
        .bound = NO_BOUND,
        .estimate = dfs->now.estimate,
    };
}

const struct strategy strategy_dfs = {
    .name = "dfs",
    .summary = "every interleaving, depth first",
    .traits.symmetric = true,
    .state_size = sizeof(struct dfs),
    .open = dfs_open,
    .plan = dfs_plan,
    .choose = choose_default,
    .choose_unseen = dfs_choose_unseen,
    .learn = dfs_learn,
    .progress = dfs_progress,
    .sharing.split = dfs_split,
    .sharing.adopt = dfs_adopt,
};
