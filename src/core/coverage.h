/* How the number of classes grew in one search, and what was still to be run: points that the
 * worker keeps as it counts, each exact. They lie closer together at the beginning: one where the
 * executions have grown by a hundredth, and one at the end of each bound. */
#ifndef CORE_COVERAGE_H
#define CORE_COVERAGE_H

#include <stdint.h>

enum { COVERAGE_POINTS_MAX = 4500 }; /* 4200 hundredths make 2^64; the rest is for bounds */

#define WAITING_UNKNOWN UINT64_MAX

struct coverage_point {
    uint64_t executions, classes; /* of the last search, up to here */
    uint64_t waiting;             /* executions that were still to be run; WAITING_UNKNOWN */
    uint64_t waiting_bytes;       /* … the memory that this took; the same */
    uint64_t nanoseconds;         /* CLOCK_MONOTONIC */
    uint64_t
        transaction;  /* of the journal: the classes are those that it and earlier ones put in */
    int32_t bound;    /* that was searched; NO_BOUND: none */
    uint32_t resting; /* nothing was left to this worker: the next such one replaces it */
};

/* How many executions there are until the next point. */
static inline uint64_t coverage_stride(uint64_t executions)
{
    return executions < 200 ? 1 : executions / 100;
}

struct coverage {
    uint64_t next; /* executions at which there will be another point */
    uint32_t count, reserved;
    struct coverage_point points[COVERAGE_POINTS_MAX];
};

#endif
