/* Descriptors as what threads share: a close and a use that nothing orders are a race.
 *
 * Each descriptor has a word that the race detector knows: a use reads it, a close writes it. A
 * descriptor that is opened again is a new one. */
#ifndef RUNTIME_FILE_DESCRIPTOR_H
#define RUNTIME_FILE_DESCRIPTOR_H

#include "runtime/engine/runtime.h"

void descriptor_uses(int descriptor, uintptr_t site);
void descriptor_closes(int descriptor, uintptr_t site);     /* in the step that does so */
void descriptors_go(unsigned first, unsigned last);         /* close_range */
void descriptor_replaced(int from, int to, uintptr_t site); /* dup2: closes what `to` is */

#endif
