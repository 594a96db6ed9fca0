/* Who accessed memory at which place, with which stack and which locks: known only in detailed
 * executions, for the earlier side of a race. */
#ifndef RUNTIME_MEMORY_WITNESS_H
#define RUNTIME_MEMORY_WITNESS_H

#include "runtime/runtime.h"

void witness_note(uintptr_t site); /* the calling thread accesses memory there */
/* Fills in the locks, and the stack if it is known, of the two sides of a race. */
void witness_tell(struct finding *finding);

#endif
