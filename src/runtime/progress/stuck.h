/* Executions that cannot get on: deadlocks, livelocks, and too many steps. */
#ifndef RUNTIME_PROGRESS_STUCK_H
#define RUNTIME_PROGRESS_STUCK_H

#include "runtime/engine/runtime.h"

/* Something that we do not see may let a waiting thread go on: one of them gets another turn. */
bool stuck_doubts(void);
bool stuck_doubts_again(thread_id thread); /* in a replay: whether this is one of them */
void stuck_settle(bool livelock);          /* when the execution is over */
_Noreturn void stuck_at_watchdog(void);    /* those of ex.stuck */
_Noreturn void stuck_all(void);            /* nobody can run: a deadlock, a livelock, or the end */
_Noreturn void stuck_in_steps(void);       /* the limit of steps is reached */
_Noreturn void thread_livelock(uint32_t cycle);     /* the last so many steps repeat forever */
_Noreturn void thread_goes_round(uint32_t cycle);   /* … and no order of their steps leads out */
_Noreturn void thread_can_go_round(uint32_t cycle); /* … whatever other orders lead to */

#endif
