/* What samplers share: seeds that follow from --seed, one for each execution. */
#ifndef STRATEGY_SAMPLER_H
#define STRATEGY_SAMPLER_H

#include "strategy/strategy.h"

struct sampler {
    struct journal *journal;
    uint64_t executions_max; /* 0: endless */
    struct {
        struct rng seeds;
        uint64_t planned;
    } now;
};

void sampler_open(struct sampler *sampler, const struct strategy_options *options,
                  struct journal *journal);
/* An execution without listed decisions, and a seed for its pilot. False: as many as asked for were
 * planned. Saves what it changes. */
bool sampler_plan(struct sampler *sampler, struct schedule *next);
struct progress sampler_progress(void);
/* That thread, with any outcome of its operation. */
struct decision sampler_decide(struct pilot *pilot, const struct choice_point *at,
                               thread_id thread);

#endif
