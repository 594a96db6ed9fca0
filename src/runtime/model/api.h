/* What the functions of include/bohr.h mean. */
#ifndef RUNTIME_MODEL_API_H
#define RUNTIME_MODEL_API_H

#include "runtime/runtime.h"

uint16_t api_choose(uint32_t outcomes, uintptr_t site);
void api_atomic_begin(void);
void api_atomic_end(uintptr_t site);
void api_ignore_begin(void);
void api_ignore_end(uintptr_t site);
void api_name(const volatile void *object, size_t size, const char *name);

#endif
