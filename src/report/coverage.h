/* How coverage grew, as rows of executions, classes, bound, seconds and what was still to be run:
 * written by run, read by plot. */
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H

#include <stdio.h>

#include "base/problem.h"
#include "core/wire.h"

#define COVERAGE_COLUMNS "executions,classes,bound,seconds,waiting,waiting_bytes"

/* The counts of several workers are known together only in the end: then there is a row for each
 * bound, without seconds, and a last one; only that says what was still to be run. */
struct coverage_source {
    const struct tally *tally;
    const struct coverage *coverage;
    double started, seconds; /* by CLOCK_MONOTONIC; of the whole search */
};

void coverage_write(const struct coverage_source *source, FILE *file);

struct curve_row {
    uint64_t executions, classes;
    double bound, seconds, waiting, waiting_bytes; /* NAN: unknown */
};

struct curve {
    struct curve_row *rows; /* neither executions nor classes ever fall */
    size_t count;
};

/* false: it is no such file, and why says where not. */
bool curve_read(struct curve *out, FILE *file, const char *path, struct problem *why);
void curve_drop(struct curve *curve);

#endif
