/* Estimates with an interval, from the figures that a search keeps. */
#ifndef REPORT_REMAINING_H
#define REPORT_REMAINING_H

#include <stdbool.h>

#include "core/tally.h"

struct remaining {
    double left, low, high; /* executions; the true number is probably between low and high */
};

/* False: too little is known. */
bool remaining_estimate(struct remaining *out, const struct estimate *estimate);
/* Estimates the remaining executions that will be completed. It assumes that as large a part of
 * them is cut as so far; counts of executions contain no cut ones. */
bool remaining_executions(struct remaining *out, const struct tally *tally);
/* The probability that one more execution of the same kind shows a new class (Good and Turing).
 * Returns false if classes were not counted. */
bool new_class_probability(double *out, const struct tally *tally);

#endif
