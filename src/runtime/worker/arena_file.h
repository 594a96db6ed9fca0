/* Memory of pending executions. Under a limit it is in a file: the strategy's arena is mapped
 * from there, and what exceeds the limit is written and let go of now and then. What is no longer
 * needed is given back. */
#ifndef RUNTIME_WORKER_ARENA_FILE_H
#define RUNTIME_WORKER_ARENA_FILE_H

#include "runtime/engine/runtime.h"

enum { SPILL_LEAST = 1 << 18 }; /* bytes that are worth the trouble of giving them back */

void spill_slow(void);
/* Between executions, outside of a transaction. */
static inline void spill(void)
{
    uint64_t kept = the_board->tally.kept_bytes;
    if (kept > rt.worker.spill.most)
        rt.worker.spill.most = kept;
    if (unlikely(rt.options->memory_max != 0 || rt.worker.spill.most >= kept + SPILL_LEAST))
        spill_slow();
}

void spill_tell(void); /* at the beginning of a worker that was to do so */

#endif
