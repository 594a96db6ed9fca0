/* Blocks that are used again. Only while an execution is watched for loops (memory/watch.c): one
 * that allocates and frees in each turn comes back to the same state only if it gets the same
 * addresses. */
#ifndef RUNTIME_HEAP_SPARE_H
#define RUNTIME_HEAP_SPARE_H

#include "runtime/runtime.h"

void spares_begin(void); /* what is freed from now on */
void spares_end(void);

bool spare_add(void *block, size_t room); /* false: it is not to be used again */
/* The lowest one of a thread's heap; NULL: there is none. What is chosen depends on nothing but
 * which blocks are spare, and these say so in their headers: so it is part of the state. */
void *spare_take(uint32_t thread, size_t room, size_t alignment);

#endif
