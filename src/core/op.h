/* One visible operation, announced before it happens. */
#ifndef CORE_OP_H
#define CORE_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"

/* OP_ACCESS_REWRITE: a write that leaves the value as it was (a read-modify-write). It is ordered
 * as any other write, but a loop that waits for a change goes on waiting. */
enum op_access { OP_ACCESS_NONE, OP_ACCESS_READ, OP_ACCESS_REWRITE, OP_ACCESS_WRITE };
static inline bool op_access_writes(enum op_access access)
{
    return access >= OP_ACCESS_REWRITE;
}

enum op_kind {
#define OP(name, ...) OP_##name,
#include "core/op.def"
#undef OP
    OP_KINDS
};

/* The columns of core/op.def, which says what each value means. */
enum op_operand {
    OP_OPERAND_OBJECT,
    OP_OPERAND_THREAD,
    OP_OPERAND_NEW_THREAD,
    OP_OPERAND_SIGNAL_AND_TARGET,
    OP_OPERAND_SIGNAL,
    OP_OPERAND_OBJECT_AND_SECOND,
    OP_OPERAND_SECOND_AND_OBJECT,
    OP_OPERAND_NOTHING,
};
enum op_scope { OP_SCOPE_OBJECT, OP_SCOPE_ALL };
enum op_second {
    OP_SECOND_NOTHING,
    OP_SECOND_THREAD,
    OP_SECOND_TARGET,
    OP_SECOND_MUTEX,
    OP_SECOND_CONDITION,
    OP_SECOND_SLEEPERS,
    OP_SECOND_VALUE,
    OP_SECOND_CLOCK,
    OP_SECOND_REPLACED,
    OP_SECOND_LED,
};
enum op_sync { OP_SYNC_NONE, OP_SYNC_ACQUIRE, OP_SYNC_RELEASE, OP_SYNC_BOTH };
enum op_waits {
    OP_WAITS_NEVER,
    OP_WAITS_MODEL,
    OP_WAITS_MUTEX,
    OP_WAITS_THREAD,
    OP_WAITS_AWAITING,
    OP_WAITS_EXIT,
    OP_WAITS_FOREVER, /* no row has it: a fault that a test puts in */
};
enum op_state {
    OP_STATE_NOTHING,
    OP_STATE_MUTEX,
    OP_STATE_RWLOCK,
    OP_STATE_SEMAPHORE,
    OP_STATE_SPIN,
    OP_STATE_STREAM,
    OP_STATE_ONCE,
    OP_STATE_WORD,
    OP_STATE_WAKE,
    OP_STATE_FUTEX,
};
enum op_possible {
    OP_POSSIBLE_UNKNOWN,
    OP_POSSIBLE_FREE,
    OP_POSSIBLE_UNWRITTEN,
    OP_POSSIBLE_POSITIVE
};
enum op_fail { OP_FAILS_NEVER, OP_FAILS_IMPOSSIBLE, OP_FAILS_UNEXPECTED };
enum op_time { OP_TIME_NONE, OP_TIME_SLEEP, OP_TIME_TIMEOUT };
enum op_turn { OP_TURN_LASTS, OP_TURN_LOOKS, OP_TURN_TAKES, OP_TURN_GIVES };
enum op_round { OP_ROUND_BOTH, OP_ROUND_SEES, OP_ROUND_CHANGES, OP_ROUND_NEITHER };
enum op_memory {
    OP_MEMORY_NONE,
    OP_MEMORY_READ,
    OP_MEMORY_WRITE,
    OP_MEMORY_ATOMIC,
    OP_MEMORY_FREE,
};
enum op_lock_part {
    OP_LOCK_NONE,
    OP_LOCK_TAKE,
    OP_LOCK_SHARE,
    OP_LOCK_GIVE,
    OP_LOCK_QUEUE,
    OP_LOCK_SLEEP,
    OP_LOCK_WAKE,
    OP_LOCK_SIGNAL,
    OP_LOCK_CREATE,
    OP_LOCK_JOIN,
};
enum op_weight {
    OP_WEIGHT_MEMORY,
    OP_WEIGHT_CONDITION,
    OP_WEIGHT_OTHER,
    OP_WEIGHT_RELEASE,
    OP_WEIGHT_THREAD,
};
enum op_strikes {
    OP_STRIKES_NOTHING,
    OP_STRIKES_PROCESSES,
    OP_STRIKES_CANCELLATION,
    OP_STRIKES_SIGNALS,
    OP_STRIKES_TIMERS,
    OP_STRIKES,
};

struct op_traits {
    uint8_t access, failed, scope, second, sync;
    uint8_t waits, state, possible, fails, time;
    uint8_t yields, counted, cancel;
    uint8_t turn, cycle, poll, round, anchored;
    uint8_t inside, known, later, symmetric;
    uint8_t memory, lock, weight, steady, lets_on, strikes;
    uint8_t operand;
    uint8_t unused[3]; /* a row is found by a shift */
};
_Static_assert(sizeof(struct op_traits) == 32, "a row is found by a shift");

/* Written only by op_break(), before the first execution. */
extern struct op_traits op_table[OP_KINDS];
static inline const struct op_traits *op_traits(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return &op_table[kind];
}

/* For tests: what a fault breaks of a kind of operation (--fault). */
enum op_fault {
    OP_FAULT_DEPENDENCE, /* its steps seem to touch nothing and to depend on no other step */
    OP_FAULT_SYNC,       /* the race detector does not see its synchronisation */
    OP_FAULT_MEMORY,     /* the race detector sees neither its object nor its pointer arguments */
    OP_FAULT_ENABLED,    /* it never waits; one that never does waits forever */
    OP_FAULTS,
};
extern const char *const op_fault_words[OP_FAULTS];
void op_break(enum op_kind kind, enum op_fault fault);

/* The columns as text, for lists: the name of the row, then one word for each column. */
enum { OP_COLUMNS = 30 };
extern const char *const op_column_names[OP_COLUMNS];
const char *op_row_name(enum op_kind kind);
const char *op_column(enum op_kind kind, uint32_t column);

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
                         word of a futex, an object of its own; what a compare-exchange expects,
                         as in `before`; of a sleep, a timed lock or a timed
                         semaphore wait: filled in, whether somebody looks at the clock */
    uint32_t before;  /* filled in when it happens, for what can be in its way: how the object was,
                         see op_is_possible() and op_fails() */
    uint64_t site;    /* return address in the tested program */
};
_Static_assert(sizeof(struct op) == 24, "ops are compared and copied as bytes");

/* A site that is marked: what comes after the operation there depends on all that others do. */
#define SITE_WIDE (1ul << 62)

/* `before` of a mutex, spin lock or stream: 0 if it is free; of a semaphore: its value; of an
 * atomic variable: a hash of its value; of a read-write lock: how many readers, or that there is a
 * writer; of a once: 0 if no thread has entered, RWLOCK_WRITTEN if one is inside. Of a pending
 * wake, of a condition variable or a futex: also that no signal has come. Of a pending exit: that
 * it waits for the end of other threads (--exit wait). */
#define RWLOCK_WRITTEN UINT32_MAX
#define COND_ASLEEP    UINT32_MAX
#define EXIT_WAITS     UINT32_MAX

const char *op_word(enum op_kind kind);
/* Verbs of explanations, "" where there is none, and what comes before the name of the object. */
struct op_verbs {
    const char *did, *do_it, *noun;
};
struct op_verbs op_verbs(enum op_kind kind);

static inline enum op_access op_access(enum op_kind kind)
{
    return op_traits(kind)->access;
}

/* How an operation that fails accesses its object. */
static inline enum op_access op_access_failed(enum op_kind kind)
{
    return op_traits(kind)->failed;
}

static inline bool op_depends_on_all(enum op_kind kind)
{
    return op_traits(kind)->scope == OP_SCOPE_ALL;
}

/* Whether an operation could go on with its object in this state, as `before` tells it; a try or a
 * timed operation: whether it would succeed. */
bool op_is_possible(enum op_kind kind, uint32_t before);
/* Whether op_is_possible() knows. */
static inline bool op_is_predictable(enum op_kind kind)
{
    return op_traits(kind)->possible != OP_POSSIBLE_UNKNOWN;
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
    return op_traits(kind)->time != OP_TIME_NONE;
}

/* Whether it would move a clock that somebody looks at. */
bool op_moves_time(const struct op *op, uint32_t before);

/* Leaving the thread after it is no preemption. */
static inline bool op_gives_way(enum op_kind kind)
{
    return op_traits(kind)->yields;
}

/* Its object is the handle of a thread: no value is handed over through it. */
static inline bool op_concerns_thread(enum op_kind kind)
{
    return op_traits(kind)->second == OP_SECOND_THREAD;
}

/* It takes a lock: until that is free it waits, or it may find out that another thread holds it. */
static inline bool op_takes_lock(enum op_kind kind)
{
    uint8_t part = op_traits(kind)->lock;
    return part == OP_LOCK_TAKE || part == OP_LOCK_SHARE;
}
static inline bool op_tries(enum op_kind kind)
{
    return op_takes_lock(kind) && op_traits(kind)->fails != OP_FAILS_NEVER;
}

/* It waits for a mutex, read-write or spin lock; streams are locked inside of calls. */
static inline bool op_acquires(enum op_kind kind)
{
    return op_takes_lock(kind) && !op_tries(kind) && op_traits(kind)->state != OP_STATE_STREAM;
}

#endif
