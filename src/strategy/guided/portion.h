/* The portion of an execution: its share of all executions if at each decision every thread has an
 * equal share, and each outcome an equal part of that. The portions of all executions sum up to
 * one, in whatever order they are run. */
#ifndef STRATEGY_PORTION_H
#define STRATEGY_PORTION_H

#include "base/arena.h"
#include "core/trace.h"

struct portion {
    /* By step of the current execution: the share of the prefix before it, in units of 2^-64. */
    uint64_t *before;
};

void portion_open(struct portion *portion, struct arena *arena, uint32_t steps_max);
/* Portion of an execution that is like the one before up to step `changed`. */
uint64_t portion_of(struct portion *portion, const struct trace *trace, uint32_t changed);

#endif
