/* One search from beginning to end: workers are started, watched and started again until the
 * board says that the search is over, or nobody can go on. */
#ifndef COORDINATOR_EXPLORE_H
#define COORDINATOR_EXPLORE_H

#include "coordinator/budget.h"
#include "coordinator/worker_pool.h"

struct exploration {
    enum stop_reason stopped;
    const char *refusal; /* what was refused; STOP_REFUSED */
    uint64_t refusal_site;
    const char *fallback; /* why reset gave way to fork; NULL: it did not */
    uint32_t deaths;      /* workers that ended before they should */
    double seconds;
};

/* false: the machine failed us, and why says how. */
bool explore(struct worker_pool *pool, const struct board_handle *handle, struct worker_output to,
             struct budget *budget, struct exploration *out, struct problem *why);

#endif
