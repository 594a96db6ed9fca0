/* Call stacks, recorded only in detailed executions. */
#ifndef RUNTIME_ENGINE_FRAMES_H
#define RUNTIME_ENGINE_FRAMES_H

#include "runtime/engine/runtime.h"

void frames_here(struct frames *frames); /* of the caller, without our own functions */
/* Frames of the code that a signal stopped; `caller`: the call that went there, if there is no
 * code. */
void frames_at_signal(struct frames *frames, uintptr_t pc, uintptr_t caller);
/* The signal that an execution hangs came outside of one: if only a stack was walked, it comes
 * again after that. */
void frames_put_off_hang(void);
void frames_capture(thread_id thread);             /* where its pending operation was announced */
void frames_keep(uint32_t step, thread_id thread); /* that operation becomes this step */

enum { SIGNAL_HANG = 23 }; /* SIGURG: the coordinator saw no step for too long */

#endif
