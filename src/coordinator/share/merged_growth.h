/* How the number of classes grew, for several workers together.
 *
 * Each worker has recorded points of its own (core/coverage.h), and each class on its board names
 * the transaction that added it. So it is known which point of which worker was the first to have a
 * class. Every point of the common curve is therefore exact: a number of executions, and the
 * classes of just these. */
#ifndef COORDINATOR_SHARE_MERGED_GROWTH_H
#define COORDINATOR_SHARE_MERGED_GROWTH_H

#include "coordinator/share/crew.h"

struct growth {
    uint32_t count;
    struct growth_point {
        struct coverage_point point; /* a point of one worker */
        uint32_t worker;
        uint32_t reserved;
        uint64_t classes; /* classes that no worker had before this point */
    } * points; /* points of all workers, by bound, then by time; none if memory is short */
    /* indices into `points`: those of the first worker, then of the second, and so on */
    uint32_t *positions;
    uint32_t first[WORKERS_MAX + 1]; /* where each worker's part of `positions` begins */
};

struct growth growth_open(const struct crew *crew);
void growth_close(struct growth *growth);
/* The worker's first point that has what this transaction added; growth->count: none has. */
uint32_t growth_find(const struct growth *growth, uint32_t worker, uint64_t transaction);
/* Makes the common curve, once the classes of each point are counted. */
void growth_put(const struct growth *growth, struct coverage *out);

#endif
