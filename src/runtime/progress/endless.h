/* An execution that was cut at the limit of steps, although every enabled thread ran, and whose
 * steps come again and again: a warning, since nothing shows that it would never have ended. */
#ifndef RUNTIME_PROGRESS_ENDLESS_H
#define RUNTIME_PROGRESS_ENDLESS_H

#include "runtime/engine/runtime.h"

void unended_note(uint32_t count); /* of its first so many steps */

#endif
