/* Code whose operations are no scheduling points (--trust): functions of the program with all that
 * they call, and libraries. */
#ifndef RUNTIME_ENGINE_TRUSTED_CODE_H
#define RUNTIME_ENGINE_TRUSTED_CODE_H

#include "runtime/engine/runtime.h"

void trust_open(
    void); /* what the names mean, once modules are listed; also after more were loaded */

/* The calling thread's operation at this site is one of trusted code, or is not. */
void trust_announced(uintptr_t site);

/* A function begins or ends, where the program is instrumented: `stack` is where its frame ends. */
void trust_enter(uintptr_t site, uintptr_t stack);
void trust_leave(uintptr_t stack);

static inline bool trusts(void)
{
    return unlikely(running() && rt.code.trusted_count > 0);
}

#endif
