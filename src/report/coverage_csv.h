/* Coverage as CSV, written by run and read by plot. Its rows say how classes and pending work grew
 * with the executions. */
#ifndef REPORT_COVERAGE_CSV_H
#define REPORT_COVERAGE_CSV_H

#include <stdio.h>

#include "base/problem.h"
#include "core/coverage.h"
#include "core/tally.h"

#define COVERAGE_COLUMNS "executions,classes,bound,seconds,waiting,waiting_bytes"

/* With several workers the pending work is known for the last row only. */
struct coverage_source {
    const struct tally *tally;
    const struct coverage *coverage;
    /* start of the search by CLOCK_MONOTONIC; duration of the whole search */
    double started, seconds;
};

void coverage_write(const struct coverage_source *source, FILE *file);

struct curve_row {
    uint64_t executions, classes;
    double bound, seconds, waiting, waiting_bytes; /* NAN: unknown */
};

struct curve {
    struct curve_row *rows; /* from row to row neither executions nor classes fall */
    size_t count;
};

/* Returns false, with the wrong line in `why`, if the file is not a coverage file. */
bool curve_read(struct curve *out, FILE *file, const char *path, struct problem *why);
void curve_drop(struct curve *curve);

#endif
