/* Operations that may be disabled, and operations that enable others. */
#ifndef STRATEGY_WAITING_H
#define STRATEGY_WAITING_H

#include "core/op.h"

/* Whether a thread before this operation may be disabled until other threads have run. */
static inline bool op_may_wait(enum op_kind kind)
{
    return !op_traits(kind)->steady;
}

/* Whether the operation never enables another thread. */
static inline bool op_lets_nobody_on(enum op_kind kind)
{
    return !op_traits(kind)->lets_on;
}

/* Whether the operation releases a lock. */
static inline bool op_releases(enum op_kind kind)
{
    return op_traits(kind)->lock == OP_LOCK_GIVE;
}

#endif
