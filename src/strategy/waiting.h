/* Which operations wait for others, and which others wait for. What is not known is taken to do
 * both. */
#ifndef STRATEGY_WAITING_H
#define STRATEGY_WAITING_H

#include "core/op.h"

/* Whether a thread may have to wait with it until others have done something. */
bool op_may_wait(enum op_kind kind);
/* Whether nobody who waits can go on because of it. */
bool op_lets_nobody_on(enum op_kind kind);
/* Taking a lock, waiting until it is free, and giving it back. */
bool op_acquires(enum op_kind kind);
bool op_releases(enum op_kind kind);

#endif
