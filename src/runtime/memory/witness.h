/* Accesses to memory with thread, place, step, stack and locks: known only in detailed executions,
 * for the earlier side of a race. */
#ifndef RUNTIME_MEMORY_WITNESS_H
#define RUNTIME_MEMORY_WITNESS_H

#include "runtime/engine/runtime.h"

#define NO_STEP UINT32_MAX

struct accessed {
    uint64_t from, to; /* addresses: the first byte, and the one behind the last */
    uint64_t site;
    thread_id thread;
    bool writes;
};

/* Whether the step is an access of some of these bytes, by this thread, at this place. */
bool step_accesses(const struct step *step, const struct accessed *what);

struct witness {
    struct accessed what;
    uint32_t step;  /* NO_STEP: it is part of another one */
    uint64_t stack; /* fingerprint of the stack and the locks */
};

/* The calling thread accesses memory, now: if that is a step, it is the last one. */
void witness_note(const volatile void *address, size_t size, bool writes, uintptr_t site);
/* The last access of some of these bytes; NULL: it is not known. */
const struct witness *witness_find(const struct accessed *what);
/* Fills in the locks, and the stack if it is known, of the two sides of a race. */
void witness_tell(struct finding *finding, const struct witness *earlier);

#endif
