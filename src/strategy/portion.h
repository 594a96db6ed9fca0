/* How large a part of all executions one of them is, if at each decision every thread has an equal
 * share, and each outcome an equal share of that: the parts of all are one, in whatever order they
 * are run. */
#ifndef STRATEGY_PORTION_H
#define STRATEGY_PORTION_H

#include "base/arena.h"
#include "core/trace.h"

struct portion {
    uint64_t *before; /* by step of the execution in hand: what is left of the whole there, in units
                         of 2^-64 */
};

void portion_open(struct portion *portion, struct arena *arena, uint32_t steps_max);
/* Of an execution that is like the one before up to a step. */
uint64_t portion_of(struct portion *portion, const struct trace *trace, uint32_t changed);

#endif
