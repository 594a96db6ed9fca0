/* Looks at each plain access, where --detect asks for lockset or atomicity. */
#ifndef RUNTIME_MEMORY_DISCIPLINE_H
#define RUNTIME_MEMORY_DISCIPLINE_H

#include "runtime/runtime.h"

static inline bool discipline_wanted(void)
{
    return detecting(DETECT_LOCKSET) || detecting(DETECT_ATOMICITY);
}

void discipline_note(const volatile void *address, bool writes, uintptr_t site);

#endif
