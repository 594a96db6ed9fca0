/* From the board to the verdict: every finding confirmed and written down, the claim made. */
#ifndef COORDINATOR_CONCLUDE_H
#define COORDINATOR_CONCLUDE_H

#include "coordinator/confirm.h"
#include "coordinator/heal.h"

/* After a search. false: a replay file could not be written; the verdict holds all the same. */
bool conclude_search(struct verdict *out, const struct job *job, struct worker_pool *pool,
                     const struct board *board, const struct exploration *exploration,
                     struct problem *why);

/* After one recorded execution was run again. */
void conclude_replay(struct verdict *out, const struct job *job, const struct worker_pool *pool,
                     struct reported *reported, const struct confirmed *confirmed, double seconds);

/* After one of an edited program was followed, and nothing showed. */
void conclude_healed(struct verdict *out, const struct job *job, const struct worker_pool *pool,
                     const struct healed *healed, double seconds);

struct claim_facts claim_facts_of(const struct board *board, enum stop_reason stopped,
                                  const char *refusal);

#endif
