/* Random walk: at every step any alternative, all equally likely. */
#include <string.h>

#include "strategy/strategy.h"

struct walk {
    struct journal *journal;
    uint64_t executions_max; /* 0: endless */
    struct {
        struct rng seeds;
        uint64_t planned;
    } now;
};

static void walk_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    struct walk *walk = state;
    memset(walk, 0, sizeof *walk);
    walk->journal = journal;
    walk->executions_max = options->executions_max;
    walk->now.seeds.state = options->seed;
}

static bool walk_plan(void *state, struct schedule *next)
{
    struct walk *walk = state;
    if (walk->executions_max > 0 && walk->now.planned == walk->executions_max)
        return false;
    journal_save(walk->journal, &walk->now, sizeof walk->now);
    walk->now.planned++;
    next->prefix_count = 0;
    next->check_step = 0;
    next->seed = rng_next(&walk->now.seeds);
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

const struct strategy strategy_random = {
    .name = "random",
    .summary = "random walks from --seed, until a limit is reached",
    .state_size = sizeof(struct walk),
    .open = walk_open,
    .plan = walk_plan,
    .choose = walk_choose,
    .learn = walk_learn,
    .progress = walk_progress,
};
