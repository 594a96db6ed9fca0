/* One search from beginning to end: workers are started, watched and started again until the
 * boards say that the search is over, or nobody can go on. */
#ifndef COORDINATOR_EXPLORE_H
#define COORDINATOR_EXPLORE_H

#include "coordinator/member.h"

/* One worker for each of the boards; the results of all are on the first of them in the end.
 * false: the machine failed us, and why says how. */
bool explore(struct worker_pool *pool, const struct board_handle *boards, uint32_t count,
             struct worker_output to, struct budget *budget, struct exploration *out,
             struct problem *why);

#endif
