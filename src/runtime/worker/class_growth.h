/* The growth of classes, noted as executions are counted. Inside a journal transaction. */
#ifndef RUNTIME_WORKER_CLASS_GROWTH_H
#define RUNTIME_WORKER_CLASS_GROWTH_H

#include "runtime/engine/runtime.h"

void coverage_note(void); /* unless the last point says the same */
/* Notes growth where this worker has nothing left to do: others may go on for long. */
void coverage_rest(void);
void coverage_forget(void);

static inline void coverage_grow(void)
{
    if (unlikely(the_board->tally.classified >= the_board->coverage.next))
        coverage_note();
}

#endif
