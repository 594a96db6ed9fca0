/* Whether a call ends its process as a failed CHECK does, tried in a child. */
#ifndef SUPPORT_TRAP_H
#define SUPPORT_TRAP_H

#include <stdbool.h>

bool traps(void (*call)(void *), void *argument);

#endif
