/* A loop of several threads may end in another order of their steps. So all
 * orders are tried, here and now: the execution is led through every state that can be reached, and
 * out of each by every thread that can run there. If that always leads to a state where it was
 * before, nothing ever leads out: a livelock, whatever the scheduler does. If a thread ends, or
 * there are too many states, the execution goes on as before.
 *
 * Who leads leaves no choice to the strategy: all that can follow can follow, too, from the first
 * time that the execution was in this state. */
#ifndef RUNTIME_PROGRESS_ROUND_SEARCH_H
#define RUNTIME_PROGRESS_ROUND_SEARCH_H

#include "runtime/engine/runtime.h"

void wander_begin(void);
/* The calling thread announces an operation, in this state. */
void wander_visit(uint64_t threads, uint64_t memory);

#endif
