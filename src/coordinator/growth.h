/* How the number of classes grew, of several workers together.
 *
 * Each has kept points of its own (core/coverage.h), and each class on its board names the
 * transaction that put it there. So it is known which point of which worker was the first to have a
 * class, and every point of the common curve is exact: so many executions, and the classes of just
 * these. */
#ifndef COORDINATOR_GROWTH_H
#define COORDINATOR_GROWTH_H

#include "coordinator/crew.h"

struct growth {
    uint32_t count;
    struct growth_point {
        struct coverage_point point; /* of one worker */
        uint32_t worker;
        uint32_t reserved;
        uint64_t classes; /* that nobody had before it */
    } * points;           /* of all, by bound, then by time; none if there is no memory */
    uint32_t *positions;  /* those of the first worker, of the second, … */
    uint32_t first[WORKERS_MAX + 1]; /* … each beginning here */
};

struct growth growth_open(const struct crew *crew);
void growth_close(struct growth *growth);
/* The first point of a worker that has what this transaction put in; growth->count: none has. */
uint32_t growth_find(const struct growth *growth, uint32_t worker, uint64_t transaction);
/* Once the classes of each point are counted: the common curve. */
void growth_put(const struct growth *growth, struct coverage *out);

#endif
