/* What is still to be run, in a file instead of memory: the strategy's arena is mapped from there, and
 * what exceeds the limit is written and let go of now and then. */
#ifndef RUNTIME_SPILL_H
#define RUNTIME_SPILL_H

#include "runtime/runtime.h"

bool spill_map(int fd); /* in place of the arena on the board */

void spill_slow(void);
/* Between executions, outside of a transaction. */
static inline void spill(void)
{
    if (unlikely(rt.options->memory_max != 0))
        spill_slow();
}

/* Whether a signal at this address means that the file cannot grow any more. */
bool spill_is_full(int number, const void *address);

#endif
