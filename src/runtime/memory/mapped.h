/* Calls that change memory as a whole: munmap, mmap with MAP_FIXED, madvise and mprotect. An access
 * by another thread that nothing orders with such a call races with it. */
#ifndef RUNTIME_MEMORY_MAPPED_H
#define RUNTIME_MEMORY_MAPPED_H

#include "runtime/engine/runtime.h"

void mapped_goes(void *at, size_t size, uintptr_t site); /* it is unmapped, or replaced */
void mapped_is_replaced(void *at, size_t size, int flags, uintptr_t site); /* by mmap, if it is */
void mapped_is_advised(void *at, size_t size, int advice, uintptr_t site);
void mapped_is_protected(void *at, size_t size, int protection, uintptr_t site);
void mapped_is_new(void *at, size_t size, int flags); /* nobody has been there */

#endif
