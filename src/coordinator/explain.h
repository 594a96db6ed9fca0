/* Why a finding shows: the orders of steps that make an execution fail, tried by executions
 * (strategy/critical.c), and the nearest execution that passes. How much is tried is counted in
 * steps, not in time, so that results repeat. */
#ifndef COORDINATOR_EXPLAIN_H
#define COORDINATOR_EXPLAIN_H

#include "coordinator/recording.h"
#include "coordinator/worker_pool.h"
#include "core/verdict.h"

/* Fills in out->explanation; all else of `out` is there, told by the same recording. What cannot be
 * found out stays unknown. `why` says so if the machine failed us; else its text is empty. */
void explain(struct worker_pool *pool, const struct recording *recording, struct reported *out,
             struct problem *why);

#endif
