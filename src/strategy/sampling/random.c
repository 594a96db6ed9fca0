/* Random walk: at every step all alternatives are equally likely. */
#include "strategy/sampling/sampler.h"

extern const struct strategy strategy_random;

static void random_open(void *state, const struct strategy_options *options, struct arena *arena,
                        struct journal *journal)
{
    sampler_open(state, options, journal);
}

static bool random_plan(void *state, struct schedule *next)
{
    return sampler_plan(state, next);
}

static struct decision random_choose(struct pilot *pilot, const struct choice_point *at)
{
    return decision_nth(at, rng_below(&pilot->rng, at->alternatives));
}

static void random_learn(void *state, const struct trace *trace) {}

static struct progress random_progress(const void *state)
{
    return sampler_progress();
}

static bool random_split(void *state, const struct trace *trace, struct parcel *out)
{
    return sampler_split(state, &strategy_random, out);
}

static bool random_adopt(void *state, const struct subtree *subtree)
{
    return sampler_adopt(state, subtree);
}

const struct strategy strategy_random = {
    .name = "random",
    .summary = "random walks from --seed, until a limit is reached",
    .state_size = sizeof(struct sampler),
    .open = random_open,
    .plan = random_plan,
    .choose = random_choose,
    .learn = random_learn,
    .progress = random_progress,
    .traits.steady = true,
    .more_points = sampler_more_points,
    .sharing.split = random_split,
    .sharing.adopt = random_adopt,
};
