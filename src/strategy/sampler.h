/* What samplers share: the n-th execution has a seed that follows from --seed and n alone, so that
 * it does not matter who runs it. */
#ifndef STRATEGY_SAMPLER_H
#define STRATEGY_SAMPLER_H

#include "strategy/strategy.h"

struct sampler {
    struct journal *journal;
    uint64_t seed;
    struct {
        uint64_t next, end; /* the executions left */
    } now;
};

void sampler_open(struct sampler *sampler, const struct strategy_options *options,
                  struct journal *journal);
/* An execution without listed decisions, and a seed for its pilot. False: as many as asked for were
 * planned. Saves what it changes. */
bool sampler_plan(struct sampler *sampler, struct schedule *next);
struct progress sampler_progress(void);
/* For samplers that keep nothing that more scheduling points would make wrong. */
void sampler_more_points(void *state);
/* For several workers. Where an execution depends on what was learnt from others, each learns from
 * its own. */
bool sampler_split(struct sampler *sampler, const struct strategy *strategy, struct parcel *out);
bool sampler_adopt(struct sampler *sampler, const struct subtree *subtree);
/* That thread, with any outcome of its operation. */
struct decision sampler_decide(struct pilot *pilot, const struct choice_point *at,
                               thread_id thread);

#endif
