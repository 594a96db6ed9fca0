#include "core/op.h"

#include "base/assert.h"

static const struct {
    const char *word;
    enum op_access access;
} rows[OP_KINDS] = {
#define OP(name, word, access, scope) [OP_##name] = {word, OP_ACCESS_##access},
#include "core/op.def"
#undef OP
};

enum { OBJECT, ALL };
const bool op_scope_is_all[OP_KINDS] = {
#define OP(name, word, access, scope) [OP_##name] = scope == ALL,
#include "core/op.def"
#undef OP
};

const char *op_word(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return rows[kind].word;
}

enum op_access op_access(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return rows[kind].access;
}

bool op_is_possible(enum op_kind kind, uint32_t before)
{
    switch (kind) {
    case OP_RWLOCK_READ:
    case OP_RWLOCK_TRYREAD:
    case OP_RWLOCK_TIMEDREAD:
        return before != RWLOCK_WRITTEN;
    case OP_SEM_WAIT:
    case OP_SEM_TRYWAIT:
    case OP_SEM_TIMEDWAIT:
        return before > 0;
    default:
        return !op_is_predictable(kind) || before == 0;
    }
}

bool op_fails(const struct op *op, uint32_t before)
{
    switch (op->kind) {
    case OP_MUTEX_TRYLOCK:
    case OP_MUTEX_TIMEDLOCK:
    case OP_SPIN_TRYLOCK:
    case OP_STREAM_TRYLOCK:
    case OP_RWLOCK_TRYREAD:
    case OP_RWLOCK_TIMEDREAD:
    case OP_RWLOCK_TRYWRITE:
    case OP_RWLOCK_TIMEDWRITE:
    case OP_SEM_TRYWAIT:
    case OP_SEM_TIMEDWAIT:
        return !op_is_possible(op->kind, before);
    case OP_ATOMIC_COMPARE:
        return before != op->second;
    case OP_ATOMIC_UPDATE:
        return op->second != 0 && before == op->second;
    default:
        return false;
    }
}

bool op_moves_time(const struct op *op, uint32_t before)
{
    return op_is_timed(op->kind) && op->second != 0 &&
           (op->kind == OP_SLEEP || op_fails(op, before));
}

/* A write-lock that fails for readers depends on which of them are inside. */
enum op_access op_access_failed(enum op_kind kind)
{
    return kind == OP_RWLOCK_TRYWRITE || kind == OP_RWLOCK_TIMEDWRITE ? OP_ACCESS_WRITE
                                                                      : OP_ACCESS_READ;
}
