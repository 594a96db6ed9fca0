/* Parts that samplers share. The seed of the n-th execution follows from --seed and n alone, so
 * that it does not matter which worker runs it. */
#ifndef STRATEGY_SAMPLER_H
#define STRATEGY_SAMPLER_H

#include "strategy/strategy.h"

struct sampler {
    struct journal *journal;
    uint64_t seed;
    struct {
        uint64_t next, end; /* numbers of the executions left */
    } now;
};

void sampler_open(struct sampler *sampler, const struct strategy_options *options,
                  struct journal *journal);
/* Plans an execution without listed decisions, and a seed for its pilot. Returns false if as many
 * as asked for were planned. Saves what it changes. */
bool sampler_plan(struct sampler *sampler, struct schedule *next);
struct progress sampler_progress(void);
/* For samplers that keep nothing that more scheduling points would invalidate. */
void sampler_more_points(void *state);
/* Functions for several workers. Where an execution depends on what was learnt, each worker learns
 * from its own executions. */
bool sampler_split(struct sampler *sampler, const struct strategy *strategy, struct parcel *out);
bool sampler_adopt(struct sampler *sampler, const struct subtree *subtree);
/* The decision for this thread, with a random outcome of its operation. */
struct decision sampler_decide(struct pilot *pilot, const struct choice_point *at,
                               thread_id thread);

#endif
