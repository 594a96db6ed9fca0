/* How the number of classes and the pending work grew in one search. The worker records a point
 * whenever the executions have grown by a hundredth, and one at the end of each bound. Each point
 * is exact. */
#ifndef CORE_COVERAGE_H
#define CORE_COVERAGE_H

#include <stdint.h>

enum { COVERAGE_POINTS_MAX = 4500 }; /* 4200 hundredths make 2^64; the rest is for bounds */

#define WAITING_UNKNOWN UINT64_MAX

struct coverage_point {
    uint64_t executions, classes; /* totals of the last search at this point */
    uint64_t waiting;             /* pending executions; WAITING_UNKNOWN: unknown */
    uint64_t waiting_bytes;       /* memory of the pending work; WAITING_UNKNOWN: unknown */
    uint64_t nanoseconds;         /* time by CLOCK_MONOTONIC */
    uint64_t
        transaction; /* of the journal: `classes` counts what this and earlier transactions added */
    int32_t bound;   /* the bound being searched; NO_BOUND: none */
    /* this worker had nothing left to do: its next resting point replaces this one */
    uint32_t resting;
};

/* Executions from one point to the next. */
static inline uint64_t coverage_stride(uint64_t executions)
{
    return executions < 200 ? 1 : executions / 100;
}

struct coverage {
    uint64_t next; /* number of executions at which the next point is recorded */
    uint32_t count, reserved;
    struct coverage_point points[COVERAGE_POINTS_MAX];
};

#endif
