/* Counters, classes and remaining work of workers that share a search, while they run.
 *
 * Each worker has the classes that it saw on its own board, and some are on several boards. As long
 * as there are few, all are compared. Later a sample is: the classes whose names end alike are a
 * random part of all, and as often common to several workers. */
#ifndef COORDINATOR_SHARE_CENSUS_H
#define COORDINATOR_SHARE_CENSUS_H

#include "coordinator/share/crew.h"
#include "core/glance.h"

struct census {
    struct estimate estimate; /* of the whole tree, from what each worker has explored of it */
    uint64_t due;             /* number of executions at which the next share is recorded */
    uint32_t search;          /* the search that the estimate is about */
    int32_t bound;            /* the bound that the estimate is about */
};

/* Records how the explored share of the tree grows: a reduced search is estimated from that. To be
 * called often. */
void census_follow(struct census *census, const struct crew *crew);
void census_take(struct census *census, const struct crew *crew, struct glance *out);
/* The remaining work, from the figures of all workers. */
struct estimate census_estimate(struct census *census, const struct crew *crew);

#endif
