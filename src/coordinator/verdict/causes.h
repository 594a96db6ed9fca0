/* Why a finding shows: the orders of steps that make an execution fail, tested by executions
 * (strategy/minimise/critical.c), and the nearest execution that passes. Effort is limited in
 * steps, not in time, so that results repeat. */
#ifndef COORDINATOR_VERDICT_CAUSES_H
#define COORDINATOR_VERDICT_CAUSES_H

#include "coordinator/record/recording.h"
#include "coordinator/worker/worker_pool.h"
#include "core/verdict.h"

/* Fills in out->explanation. The rest of `out` must be filled in already, from the same recording.
 * Facts that cannot be found out stay unknown. `why` holds the message of an internal error; else
 * its text is empty. */
void explain(struct worker_pool *pool, const struct recording *recording, struct reported *out,
             struct problem *why);

#endif
