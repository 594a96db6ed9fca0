#include "strategy/sampler.h"

void sampler_open(struct sampler *sampler, const struct strategy_options *options,
                  struct journal *journal)
{
    *sampler = (struct sampler){.journal = journal,
                                .executions_max = options->executions_max,
                                .now.seeds.state = options->seed};
}

bool sampler_plan(struct sampler *sampler, struct schedule *next)
{
    if (sampler->executions_max > 0 && sampler->now.planned == sampler->executions_max)
        return false;
    journal_save(sampler->journal, &sampler->now, sizeof sampler->now);
    sampler->now.planned++;
    next->prefix_count = 0;
    next->check_step = 0;
    next->hint = 0;
    next->seed = rng_next(&sampler->now.seeds);
    return true;
}

struct progress sampler_progress(void)
{
    return (struct progress){.claim = CLAIM_SAMPLED, .complete = false, .bound = NO_BOUND};
}

struct decision sampler_decide(struct pilot *pilot, const struct choice_point *at, thread_id thread)
{
    uint16_t choices = at->pending[thread].choices;
    uint32_t choice = choices > 1 ? rng_below(&pilot->rng, choices) : 0;
    return (struct decision){.step = at->step, .thread = thread, .choice = (uint16_t)choice};
}
