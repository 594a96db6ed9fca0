/* Looks at each plain access, where --detect asks for lockset. */
#ifndef RUNTIME_MEMORY_DISCIPLINE_H
#define RUNTIME_MEMORY_DISCIPLINE_H

#include "runtime/runtime.h"

void discipline_note(const volatile void *address, bool writes, uintptr_t site);

#endif
