/* The local state of the calling thread as a number. */
#ifndef RUNTIME_ENGINE_LOCAL_STATE_H
#define RUNTIME_ENGINE_LOCAL_STATE_H

#include "runtime/engine/runtime.h"

/* The program's code is known, from here on: what it no longer reads is no part of a local state
 * (core/live.h). */
void live_open(void);

/* For loops that make no step at all, too; 0: the stack is too deep. */
static inline uint64_t local_hash(const struct local *local)
{
    return local_hash_below(local, (uintptr_t)rt.stacks[ex.current].start, rt.code.live,
                            rt.code.live_base);
}

#endif
