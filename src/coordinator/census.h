/* What workers that share a search know together while they run: counters, classes, how much is
 * left.
 *
 * Each has classes of its own on its board, some of which others have too. As long as they are few
 * all are compared; then those whose names end alike, which are some of all, and as often common to
 * several. */
#ifndef COORDINATOR_CENSUS_H
#define COORDINATOR_CENSUS_H

#include "coordinator/crew.h"
#include "core/glance.h"

struct census {
    struct estimate estimate; /* of the whole tree, from what each has explored of it */
    uint64_t due;             /* after so many executions another share is kept */
    uint32_t search;          /* of which all this is, … */
    int32_t bound;            /* … and its bound */
};

/* To be called often: how a reduced search went shows in what was explored when. */
void census_follow(struct census *census, const struct crew *crew);
void census_take(struct census *census, const struct crew *crew, struct glance *out);
/* How much is left, from the figures of all. */
struct estimate census_estimate(struct census *census, const struct crew *crew);

#endif
