/* Shows detectors what happens (detector/detector.h): those that --detect names, each only the
 * events that it has a function for. Steps and ends are in engine/attention.h. */
#ifndef RUNTIME_ENGINE_DETECTORS_H
#define RUNTIME_ENGINE_DETECTORS_H

#include "runtime/engine/runtime.h"

void detectors_access(const volatile void *address, size_t size, bool writes, uintptr_t site);
/* An access to the stack of a thread that has ended. Returns whether a detector looks for these. */
bool detectors_ended(thread_id owner, const volatile void *address, size_t size, bool writes,
                     uintptr_t site);
#endif
