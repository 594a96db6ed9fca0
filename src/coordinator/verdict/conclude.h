/* From the board to the verdict: confirms every finding, writes it down, and makes the claim. */
#ifndef COORDINATOR_VERDICT_CONCLUDE_H
#define COORDINATOR_VERDICT_CONCLUDE_H

#include "coordinator/minimise/confirm.h"
#include "coordinator/minimise/heal.h"

/* The verdict after a search. Returns false if a replay file could not be written; the verdict is
 * valid all the same. */
bool conclude_search(struct verdict *out, const struct job *job, struct worker_pool *pool,
                     const struct board *board, const struct exploration *exploration,
                     struct problem *why);

/* The verdict after one recorded execution was run again. */
void conclude_replay(struct verdict *out, const struct job *job, const struct worker_pool *pool,
                     struct reported *reported, const struct confirmed *confirmed, double seconds);

/* The verdict after a recorded execution was followed in an edited program and showed nothing. */
void conclude_healed(struct verdict *out, const struct job *job, const struct worker_pool *pool,
                     const struct healed *healed, double seconds);

#endif
