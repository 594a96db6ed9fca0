/* One visible operation, announced before it happens. */
#ifndef CORE_OP_H
#define CORE_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"

enum op_access { OP_ACCESS_NONE, OP_ACCESS_READ, OP_ACCESS_WRITE };

enum op_kind {
#define OP(name, word, access, scope) OP_##name,
#include "core/op.def"
#undef OP
    OP_KINDS
};

enum { NO_OBJECT = 0 }; /* objects are numbered from 1 */
enum { OP_WIDE = UINT8_MAX, OP_TIMED = UINT8_MAX - 1, OP_SIZE_MAX = UINT8_MAX - 2 };

struct op {
    uint8_t kind;     /* enum op_kind */
    uint8_t size;     /* bytes accessed, where that means something, and OP_SIZE_MAX if they are
                         more; of "handle signals" and "is cancelled": the kind of what they came in
                         place of, and in `second` its object; of one that is pending at the end of
                         an execution: OP_WIDE, if it touches more than its object; of a wake that
                         can come without a signal: OP_TIMED, or OP_WIDE if somebody looks at the
                         clock */
    uint16_t choices; /* outcomes of its data choice; 1 where there is none */
    uint32_t object;  /* small, dense, equal in every run: never an address */
    uint32_t second;  /* the mutex of a wait; the thread of create, join, detach; who sleeps on the
                         word of a futex, an object of its own; what a compare-exchange expects and
                         an exchange stores, as in `before`; of a sleep, a timed lock or a timed
                         semaphore wait: filled in, whether somebody looks at the clock */
    uint32_t before;  /* filled in when it happens, for what can be in its way: how the object was,
                         see op_is_possible() and op_fails() */
    uint64_t site;    /* return address in the tested program */
};
_Static_assert(sizeof(struct op) == 24, "ops are compared and copied as bytes");

/* A site that is marked: what comes after the operation there depends on all that others do. */
#define SITE_WIDE (1ul << 62)

/* `before` of a mutex, spin lock, stream or once: 0 if it is free; of a semaphore: its value; of an
 * atomic variable: a hash of its value; of a read-write lock: how many readers, or that there is a
 * writer. Of a pending wake, of a condition variable or a futex: also that no signal has come. */
#define RWLOCK_WRITTEN UINT32_MAX
#define COND_ASLEEP    UINT32_MAX

const char *op_word(enum op_kind kind);
enum op_access op_access(enum op_kind kind);
extern const bool op_scope_is_all[OP_KINDS];
static inline bool op_depends_on_all(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return op_scope_is_all[kind];
}

/* Whether an operation could go on with its object in this state, as `before` tells it; a try or a
 * timed operation: whether it would succeed. */
bool op_is_possible(enum op_kind kind, uint32_t before);
/* Whether op_is_possible() knows. */
static inline bool op_is_predictable(enum op_kind kind)
{
    switch (kind) {
    case OP_MUTEX_LOCK:
    case OP_MUTEX_TRYLOCK:
    case OP_MUTEX_TIMEDLOCK:
    case OP_COND_WAKE:
    case OP_SPIN_LOCK:
    case OP_SPIN_TRYLOCK:
    case OP_STREAM_LOCK:
    case OP_STREAM_TRYLOCK:
    case OP_ONCE:
    case OP_RWLOCK_READ:
    case OP_RWLOCK_TRYREAD:
    case OP_RWLOCK_TIMEDREAD:
    case OP_RWLOCK_WRITE:
    case OP_RWLOCK_TRYWRITE:
    case OP_RWLOCK_TIMEDWRITE:
    case OP_SEM_WAIT:
    case OP_SEM_TRYWAIT:
    case OP_SEM_TIMEDWAIT:
        return true;
    default:
        return false;
    }
}

/* Whether it would change nothing with its object in this state. */
bool op_fails(const struct op *op, uint32_t before);
/* A wake that can come without a signal. */
static inline bool op_may_time_out(const struct op *op)
{
    return op->kind == OP_COND_WAKE && op->size >= OP_TIMED;
}

/* A sleep, or a lock or semaphore wait that may time out. */
static inline bool op_is_timed(enum op_kind kind)
{
    switch (kind) {
    case OP_SLEEP:
    case OP_MUTEX_TIMEDLOCK:
    case OP_RWLOCK_TIMEDREAD:
    case OP_RWLOCK_TIMEDWRITE:
    case OP_SEM_TIMEDWAIT:
        return true;
    default:
        return false;
    }
}

/* Whether it would move a clock that somebody looks at. */
bool op_moves_time(const struct op *op, uint32_t before);
/* How an operation that fails touches its object. */
enum op_access op_access_failed(enum op_kind kind);

/* Leaving the thread after it is no preemption. */
static inline bool op_gives_way(enum op_kind kind)
{
    return kind == OP_YIELD || kind == OP_SLEEP || kind == OP_TIMER_EXPIRE;
}

#endif
