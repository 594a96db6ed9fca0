/* Looks at each plain access, where --detect asks for lockset or atomicity, or the strategy takes
 * for granted that locks guard what is shared. */
#ifndef RUNTIME_MEMORY_DISCIPLINE_H
#define RUNTIME_MEMORY_DISCIPLINE_H

#include "runtime/engine/runtime.h"

void discipline_note(const volatile void *address, size_t size, bool writes, uintptr_t site);
/* discipline_access for an access that is a step of its own: no lock has to guard it. */
void discipline_touch(const volatile void *address, size_t size, bool writes);

#endif
