/* The functions of include/bohr.h. */
#ifndef RUNTIME_MEMORY_API_H
#define RUNTIME_MEMORY_API_H

#include "runtime/engine/runtime.h"

uint16_t api_choose(uint32_t outcomes, uintptr_t site);
void api_atomic_begin(void);
void api_atomic_end(uintptr_t site);
void api_ignore_begin(void);
void api_ignore_end(uintptr_t site);
/* Orders what was done before the one before what is done after the other, for the race detector: a
 * step each. */
void api_happens_before(const volatile void *object, uintptr_t site);
void api_happens_after(const volatile void *object, uintptr_t site);
void api_benign_race(const volatile void *start, size_t size);
bool api_is_benign(const void *address, size_t size); /* a race there */
void api_name(const volatile void *object, size_t size, const char *name);

#endif
