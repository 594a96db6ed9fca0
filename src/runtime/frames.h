/* Call stacks, recorded only in detailed executions. */
#ifndef RUNTIME_FRAMES_H
#define RUNTIME_FRAMES_H

#include "runtime/runtime.h"

void frames_here(struct frames *frames);       /* of the caller, without our own functions */
void frames_at_signal(struct frames *frames, uintptr_t pc); /* of the code that a signal stopped */
void frames_capture(thread_id thread);         /* where its pending operation was announced */
void frames_keep(uint32_t step, thread_id thread); /* that operation becomes this step */

#endif
