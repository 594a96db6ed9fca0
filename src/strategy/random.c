/* Random walk: at every step any alternative, all equally likely. The n-th walk is a function of
 * the seed and n alone, so that it does not matter who walks it. */
#include <string.h>

#include "strategy/strategy.h"

extern const struct strategy strategy_random;

struct walk {
    struct journal *journal;
    uint64_t seed;
    struct {
        uint64_t next, end; /* the walks left */
    } now;
};

static void walk_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    struct walk *walk = state;
    memset(walk, 0, sizeof *walk);
    walk->journal = journal;
    walk->seed = options->seed;
    if (!options->shared)
        walk->now.end = options->executions_max > 0 ? options->executions_max : UINT64_MAX;
}

static bool walk_plan(void *state, struct schedule *next)
{
    struct walk *walk = state;
    if (walk->now.next == walk->now.end)
        return false;
    struct rng seeds = {.state = walk->seed};
    rng_skip(&seeds, walk->now.next);
    journal_save(walk->journal, &walk->now, sizeof walk->now);
    walk->now.next++;
    next->prefix_count = 0;
    next->check_step = 0;
    next->seed = rng_next(&seeds);
    return true;
}

static struct decision walk_choose(struct pilot *pilot, const struct choice_point *at)
{
    return decision_nth(at, rng_below(&pilot->rng, at->alternatives));
}

static void walk_learn(void *state, const struct trace *trace) {}

static struct progress walk_progress(const void *state)
{
    return (struct progress){.claim = CLAIM_SAMPLED, .complete = false, .bound = NO_BOUND};
}

static bool walk_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct walk *walk = state;
    uint64_t half = (walk->now.end - walk->now.next) / 2;
    if (half == 0)
        return false;
    struct subtree given = strategy_whole(&strategy_random, half);
    given.first = walk->now.end - half;
    parcel_put(out, &given);
    journal_save(walk->journal, &walk->now, sizeof walk->now);
    walk->now.end = given.first;
    return true;
}

static bool walk_adopt(void *state, const struct subtree *subtree)
{
    struct walk *walk = state;
    if (walk->now.next != walk->now.end || subtree->count > UINT64_MAX - subtree->first)
        return false;
    uint64_t end = subtree->count > 0 ? subtree->first + subtree->count : UINT64_MAX;
    journal_save(walk->journal, &walk->now, sizeof walk->now);
    walk->now.next = subtree->first;
    walk->now.end = end;
    return true;
}

const struct strategy strategy_random = {
    .name = "random",
    .summary = "random walks from --seed, until a limit is reached",
    .state_size = sizeof(struct walk),
    .open = walk_open,
    .plan = walk_plan,
    .choose = walk_choose,
    .learn = walk_learn,
    .progress = walk_progress,
    .split = walk_split,
    .adopt = walk_adopt,
};
