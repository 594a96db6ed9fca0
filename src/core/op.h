/* Visible operations: what a thread does that another thread can notice. A thread announces its
 * operation before it happens. Properties of a kind are columns of core/op.def and nowhere else. */
#ifndef CORE_OP_H
#define CORE_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"

/* OP_ACCESS_REWRITE: a read-modify-write that leaves the value as it was. It is ordered as any
 * other write, but a loop that waits for a change goes on waiting. */
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

/* The enums up to struct op_traits are the columns of core/op.def, whose head says what each value
 * means. */
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
    uint8_t unused[3]; /* padding: a row is found by a shift */
};
_Static_assert(sizeof(struct op_traits) == 32, "a row is found by a shift");

/* The table of operations. Only op_break() writes it, before the first execution. */
extern struct op_traits op_table[OP_KINDS];
static inline const struct op_traits *op_traits(enum op_kind kind)
{
    CHECK(kind < OP_KINDS);
    return &op_table[kind];
}

/* For tests: what a fault breaks in a kind of operation (--fault). */
enum op_fault {
    OP_FAULT_DEPENDENCE, /* its steps seem to touch nothing and to depend on no other step */
    OP_FAULT_SYNC,       /* the race detector does not see its synchronisation */
    OP_FAULT_MEMORY,     /* the race detector sees neither its object nor its pointer arguments */
    OP_FAULT_ENABLED,    /* it never waits; a kind that never waits waits forever */
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
    uint8_t kind; /* enum op_kind */
    /* Bytes accessed by a memory access; OP_SIZE_MAX if they are more. Of "handle signals" and "is
     * cancelled": the kind of the operation that it replaced, whose object is then in `second`. Of
     * an operation that is pending at the end of an execution: OP_WIDE if it touches more than its
     * object. Of a wake that can come without a signal: OP_TIMED, or OP_WIDE if a thread looks at
     * the clock. */
    uint8_t size;
    uint16_t choices; /* outcomes of its data choice; 1 where there is none */
    uint32_t object;  /* number of the object: small, dense, equal in every run, never an address */
    /* The mutex of a wait; the thread of create, join and detach; the sleepers on the word of a
     * futex, an object of its own; the value that a compare-exchange expects, in the form of
     * `before`. Of a sleep, a timed lock or a timed semaphore wait the runtime fills in whether a
     * thread looks at the clock. */
    uint32_t second;
    /* The state of the object when the step happened; see op_is_possible() and op_fails(). The
     * runtime fills it in for operations that this state can delay or fail. */
    uint32_t before;
    uint64_t site; /* return address in the tested program */
};
_Static_assert(sizeof(struct op) == 24, "ops are compared and copied as bytes");

/* Marks a site: the code after the operation there depends on every other step. */
#define SITE_WIDE (1ul << 62)

/* Values of struct op's `before`. Of a mutex, spin lock or stream: 0 if it is free. Of a semaphore:
 * its value. Of an atomic variable: a hash of its value. Of a read-write lock: RWLOCK_WRITTEN if a
 * writer holds it, else the number of readers, with RWLOCK_QUEUED if new readers wait because a
 * writer is in the queue, and RWLOCK_ROBBED if a thread has unlocked it that only others held. Of a
 * once: 0 if no thread has entered, RWLOCK_WRITTEN if one is inside. Of a pending wake of a
 * condition variable or a futex: COND_ASLEEP if no signal has come. Of a pending exit: EXIT_WAITS
 * if it waits for the end of other threads (--exit wait). */
#define RWLOCK_WRITTEN UINT32_MAX
#define RWLOCK_QUEUED  (1u << 31)
#define RWLOCK_ROBBED  (1u << 30)
#define COND_ASLEEP    UINT32_MAX
#define EXIT_WAITS     UINT32_MAX

const char *op_word(enum op_kind kind);
/* Verbs for explanations, "" where there is none, and what precedes the name of the object. */
struct op_verbs {
    const char *did, *do_it, *noun;
};
struct op_verbs op_verbs(enum op_kind kind);

static inline enum op_access op_access(enum op_kind kind)
{
    return op_traits(kind)->access;
}

/* How the operation accesses its object if it fails. */
static inline enum op_access op_access_failed(enum op_kind kind)
{
    return op_traits(kind)->failed;
}

static inline bool op_depends_on_all(enum op_kind kind)
{
    return op_traits(kind)->scope == OP_SCOPE_ALL;
}

static inline uint32_t rwlock_readers(uint32_t before)
{
    return before == RWLOCK_WRITTEN ? before : before & ~(RWLOCK_QUEUED | RWLOCK_ROBBED);
}

/* Whether a thread released the lock while only others held it to read. Readers then no longer
 * commute, so their operations conflict as writes do. */
static inline bool rwlock_is_robbed(uint32_t before)
{
    return before != RWLOCK_WRITTEN && (before & RWLOCK_ROBBED) != 0;
}

/* Whether an operation is enabled with its object in the state `before`. For a try or a timed
 * operation: whether it would succeed. */
bool op_is_possible(enum op_kind kind, uint32_t before);
/* Whether op_is_possible() knows the answer for this kind. */
static inline bool op_is_predictable(enum op_kind kind)
{
    return op_traits(kind)->possible != OP_POSSIBLE_UNKNOWN;
}

/* Whether the operation would fail, and change nothing, with its object in the state `before`. */
bool op_fails(const struct op *op, uint32_t before);
/* True for a wake that can come without a signal. */
static inline bool op_may_time_out(const struct op *op)
{
    return op->kind == OP_COND_WAKE && op->size >= OP_TIMED;
}

/* True for a sleep, and for a lock or semaphore wait that may time out. */
static inline bool op_is_timed(enum op_kind kind)
{
    return op_traits(kind)->time != OP_TIME_NONE;
}

/* Whether the step would move a clock that a thread looks at. */
bool op_moves_time(const struct op *op, uint32_t before);

/* Whether switching to another thread after the operation is no preemption. */
static inline bool op_gives_way(enum op_kind kind)
{
    return op_traits(kind)->yields;
}

/* True if the operation's object is the handle of a thread, through which no value is passed. */
static inline bool op_concerns_thread(enum op_kind kind)
{
    return op_traits(kind)->second == OP_SECOND_THREAD;
}

/* True if the operation takes a lock: it waits until the lock is free, or can find that another
 * thread holds it. */
static inline bool op_takes_lock(enum op_kind kind)
{
    uint8_t part = op_traits(kind)->lock;
    return part == OP_LOCK_TAKE || part == OP_LOCK_SHARE;
}
static inline bool op_tries(enum op_kind kind)
{
    return op_takes_lock(kind) && op_traits(kind)->fails != OP_FAILS_NEVER;
}

/* Whether an operation that was announced as `kind` may turn out to be `other` when it is carried
 * out. */
static inline bool op_becomes(enum op_kind kind, enum op_kind other)
{
    return other == OP_RWLOCK_QUEUE && (kind == OP_RWLOCK_WRITE || kind == OP_RWLOCK_TIMEDWRITE);
}

/* True if the operation waits for a mutex, a read-write or a spin lock. Streams do not count: they
 * are locked inside of calls. */
static inline bool op_acquires(enum op_kind kind)
{
    return op_takes_lock(kind) && !op_tries(kind) && op_traits(kind)->state != OP_STATE_STREAM;
}

#endif
