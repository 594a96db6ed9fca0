/* Whether the order of two pending operations of different threads can matter. */
#ifndef STRATEGY_CONFLICT_H
#define STRATEGY_CONFLICT_H

#include "core/op.h"

/* The second object that an operation touches: the mutex of a wait on a condition variable, the
 * condition variable of the end of such a wait. */
static inline uint32_t op_mutex(const struct op *op)
{
    enum op_second second = op_traits(op->kind)->second;
    return second == OP_SECOND_MUTEX || second == OP_SECOND_CONDITION ? op->second : NO_OBJECT;
}

static inline bool ops_conflict(const struct op *a, const struct op *b)
{
    if (a->kind == OP_EXIT || b->kind == OP_EXIT)
        return true;
    uint32_t mutexes[2] = {op_mutex(a), op_mutex(b)};
    if (mutexes[0] != NO_OBJECT && (mutexes[0] == b->object || mutexes[0] == mutexes[1]))
        return true;
    if (mutexes[1] != NO_OBJECT && mutexes[1] == a->object)
        return true;
    return a->object != NO_OBJECT && a->object == b->object &&
           (op_access(a->kind) == OP_ACCESS_WRITE || op_access(b->kind) == OP_ACCESS_WRITE);
}

#endif
