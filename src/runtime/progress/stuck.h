/* Executions that cannot get on: deadlocks, livelocks, and too many steps. */
#ifndef RUNTIME_PROGRESS_STUCK_H
#define RUNTIME_PROGRESS_STUCK_H

#include "runtime/engine/runtime.h"

_Noreturn void stuck_at_watchdog(void);         /* those of ex.stuck */
_Noreturn void thread_livelock(uint32_t cycle); /* the last so many steps repeat forever */

#endif
