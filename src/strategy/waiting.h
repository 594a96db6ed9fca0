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

/* The operation waits for readers to leave. A reader's leaving is no write, so it does not depend
 * on what other readers do. */
static inline bool op_waits_for_readers(enum op_kind kind)
{
    const struct op_traits *traits = op_traits(kind);
    return traits->state == OP_STATE_RWLOCK && traits->possible == OP_POSSIBLE_FREE &&
           traits->fails == OP_FAILS_NEVER;
}

/* The operation gives a lock back. */
static inline bool op_releases(enum op_kind kind)
{
    return op_traits(kind)->lock == OP_LOCK_GIVE;
}

#endif
