/* Values in memory before and after each step that accesses it, recorded only in detailed
 * executions. */
#ifndef RUNTIME_ENGINE_VALUES_H
#define RUNTIME_ENGINE_VALUES_H

#include "runtime/engine/runtime.h"

void values_keep(uint32_t step); /* it begins now, and the one before has ended */
void values_end(void);           /* the last one has ended */

#endif
