#include "strategy/sampling/sampler.h"

void sampler_open(struct sampler *sampler, const struct strategy_options *options,
                  struct journal *journal)
{
    *sampler = (struct sampler){.journal = journal, .seed = options->seed};
    if (!options->shared)
        sampler->now.end = options->executions_max > 0 ? options->executions_max : UINT64_MAX;
}

bool sampler_plan(struct sampler *sampler, struct schedule *next)
{
    if (sampler->now.next == sampler->now.end)
        return false;
    struct rng seeds = {.state = sampler->seed};
    rng_skip(&seeds, sampler->now.next);
    journal_save(sampler->journal, &sampler->now, sizeof sampler->now);
    sampler->now.next++;
    next->prefix_count = 0;
    next->check_step = 0;
    next->hint = 0;
    next->seed = rng_next(&seeds);
    return true;
}

bool sampler_split(struct sampler *sampler, const struct strategy *strategy, struct parcel *out)
{
    uint64_t half = (sampler->now.end - sampler->now.next) / 2;
    if (half == 0)
        return false;
    struct subtree given = strategy_whole(strategy, half);
    given.first = sampler->now.end - half;
    parcel_put(out, &given);
    journal_save(sampler->journal, &sampler->now, sizeof sampler->now);
    sampler->now.end = given.first;
    return true;
}

bool sampler_adopt(struct sampler *sampler, const struct subtree *subtree)
{
    if (sampler->now.next != sampler->now.end || subtree->count > UINT64_MAX - subtree->first)
        return false;
    uint64_t end = subtree->count > 0 ? subtree->first + subtree->count : UINT64_MAX;
    journal_save(sampler->journal, &sampler->now, sizeof sampler->now);
    sampler->now.next = subtree->first;
    sampler->now.end = end;
    return true;
}

struct progress sampler_progress(void)
{
    return (struct progress){.claim = CLAIM_SAMPLED, .complete = false, .bound = NO_BOUND};
}

void sampler_more_points(void *state) {}

struct decision sampler_decide(struct pilot *pilot, const struct choice_point *at, thread_id thread)
{
    uint16_t choices = at->pending[thread].choices;
    uint32_t choice = choices > 1 ? rng_below(&pilot->rng, choices) : 0;
    return (struct decision){.step = at->step, .thread = thread, .choice = (uint16_t)choice};
}
