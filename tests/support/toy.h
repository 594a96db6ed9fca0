/* Programs made of data, and an engine for them that obeys schedules as the real one does.
 *
 * A program is a list of operations for each of its threads. Thread 0 is main; the others live from
 * the step that creates them. Its end is an exit, which ends everything. In a bare program all
 * threads live from the start and nobody exits: the textbook's picture, for closed formulas. */
#ifndef SUPPORT_TOY_H
#define SUPPORT_TOY_H

#include <stdio.h>

#include "strategy/strategy.h"

enum {
    TOY_THREADS_MAX = 8,
    TOY_OPS_MAX = 48,
    TOY_OBJECTS_MAX = 8,
    TOY_STEPS_MAX = 512,
    TOY_SIGNALS = 2,
    TOY_TOUCHES_MAX = 4 * TOY_STEPS_MAX
};

enum toy_kind {
    TOY_LOCK,
    TOY_TRYLOCK, /* skips if the mutex is taken */
    TOY_UNLOCK,
    TOY_WAIT,       /* on condition `object` with mutex `second`; two steps */
    TOY_TIMED_WAIT, /* the same until `value` o'clock; skips if it timed out. Then it is three steps
                       where the mutex was held */
    TOY_TIMED_LOCK, /* until `value` o'clock; skips if it timed out */
    TOY_SEM_TIMED,
    TOY_LOOK,   /* adds what the clock shows to the variable */
    TOY_SIGNAL, /* a data choice among those who wait */
    TOY_BROADCAST,
    TOY_LOAD, /* skips if the variable is not `value` */
    TOY_STORE,
    TOY_ADD,
    TOY_COMPARE, /* stores `second` if the variable is `value`, else skips */
    TOY_AWAIT,   /* a loop of reads until the variable is at least `value`, or `value` if `second`:
                    after a futile one the thread goes on when the variable was written */
    TOY_ACQUIRE, /* a loop of exchanges with 1 until that was not there, as TOY_AWAIT */
    TOY_BACK,    /* the end of a loop: goes `second` operations back unless the variable is at least
                    `value`. What comes of a    turn is as in runtime/progress/vain.h */
    TOY_ASSERT,  /* fails, and ends the execution, if the variable is not `value` */
    TOY_YIELD,   /* the others go first; leaving the thread after it is no preemption */
    TOY_SLEEP,   /* for `value`; no preemption either, but it may go on at once */
    TOY_CHOOSE,  /* a data choice of `value` outcomes; skips unless it is 0 */
    TOY_READ_LOCK, /* read-write locks */
    TOY_TRY_READ_LOCK,
    TOY_READ_UNLOCK,
    TOY_WRITE_LOCK,
    TOY_TRY_WRITE_LOCK,
    TOY_WRITE_UNLOCK,
    TOY_SEM_WAIT, /* semaphore i begins with i */
    TOY_SEM_TRY,
    TOY_SEM_POST,
    TOY_BARRIER,  /* for `value` threads; two steps */
    TOY_KILL,     /* sends signal `second` to the thread with list `object` */
    TOY_KILL_ANY, /* to the process: a data choice among threads that do not block it */
    TOY_BLOCK,    /* signal `second` */
    TOY_UNBLOCK,
    TOY_IGNORE,  /* signal `second`, from now on */
    TOY_SIGWAIT, /* until signal `second` is pending, and takes it */
    TOY_SIGPOLL, /* the same if it is, else skips */
    TOY_PENDING, /* skips unless signal `second` is pending and blocked */
    TOY_PAUSE,   /* until a handler has run; two steps */
    TOY_CANCEL,  /* the thread with list `object` */
    TOY_TEST_CANCEL,
    TOY_ALARM,  /* signal 0 to the process after `value`; 0: never */
    TOY_EXPIRE, /* of the timer, among the threads */
    TOY_CREATE, /* the thread with list `object` */
    TOY_JOIN,
    TOY_EXIT,
    TOY_KINDS
};

struct toy_op {
    enum toy_kind kind;
    uint8_t object; /* mutex, condition, variable or list: each kind has its own numbers */
    uint8_t second;
    uint8_t skip; /* operations to leave out */
    int32_t value;
};

struct toy_program {
    char name[64];
    bool bare;
    bool plain;    /* what is done to variables is no step, but part of the one before */
    bool symmetry; /* equal threads begin in the order of their creation */
    bool renamed;  /* a class is one whichever of equal threads did what, and how many of them were
                      joined */
    uint8_t twin_of[TOY_THREADS_MAX]; /* by list: the equal one before it; 0: none */
    uint32_t thread_count;
    struct toy_list {
        uint32_t count;
        struct toy_op ops[TOY_OPS_MAX];
    } lists[TOY_THREADS_MAX];
    struct toy_list
        handlers[TOY_SIGNALS + 1]; /* of signals; the last: when a thread is cancelled */
};

/* Adds an operation to a thread's list. */
void toy_add(struct toy_program *program, uint32_t list, struct toy_op op);
/* Main creates all threads, and after `toy_join_all` joins them. */
void toy_create_all(struct toy_program *program);
/* Two threads that wait until a time, one of which looks at the clock, beside a store and the
 * thread that joins the storing one. */
struct toy_program toy_two_time_out(void);
void toy_join_all(struct toy_program *program);
/* Threads 1..threads, each `times` times lock and unlock of one mutex; created and joined by main.
 */
struct toy_program toy_lockers(uint32_t threads, uint32_t times);
/* A program that is a function of its seed, small, with everything in it that toys can do. */
struct toy_program toy_random(uint64_t seed);
bool toy_has(const struct toy_program *program, enum toy_kind kind);
void toy_print(FILE *file, const struct toy_program *program);

/* Programs of toy_random with read-write locks, semaphores, barriers, compare-exchanges and locks
 * that are not nested; without yields. */
struct toy_program toy_random_more(uint64_t seed);
/* Three threads with read-write locks and semaphores only, which begin with 0: they wait for each
 * other inside of their sections. */
struct toy_program toy_random_readers(uint64_t seed);
/* Programs of toy_random_more with loops that wait for a value. */
struct toy_program toy_random_awaits(uint64_t seed);

/* Programs with loops of several operations; `reads`: they do no more than to read. */
struct toy_program toy_random_loops(uint64_t seed, bool reads);

/* Programs with timed operations, and at times clocks that are looked at. */
struct toy_program toy_random_timed(uint64_t seed);

/* Programs with signals, cancellation or a timer. */
struct toy_program toy_random_alerts(uint64_t seed);
/* One of those: in some operations may time out, in some threads are struck by signals,
 * cancellation or a timer, in some loops wait for a value or several, in some threads sleep now and
 * then: leaving them there costs nothing. */
struct toy_program toy_random_any(uint64_t seed);

/* Programs with equal threads, created one right after the other; all of them are joined so, or
 * none. */
struct toy_program toy_random_twins(uint64_t seed);

/* Locks properly nested, each variable used only under the lock with its number, and that is no
 * step. */
struct toy_random_locks {
    bool ordered;    /* no lock is taken under one with a larger number */
    bool conditions; /* there are waits and signals */
    bool empty;      /* there are no variables */
};
struct toy_program toy_random_disciplined(uint64_t seed, struct toy_random_locks locks);

/* A fault: operations of this kind touch their object less than they do. OP_NONE: no fault. */
extern enum op_kind toy_fault;

/* The parts of a toy's state. For tests: a part that is left out of it; TOY_PART_NONE: none
 * is. */
enum toy_part { TOY_PART_NONE, TOY_PART_PLACES, TOY_PART_WAITS, TOY_PART_OBJECTS, TOY_PARTS };
extern enum toy_part toy_left_out;
/* Told of the state before each step; NULL: nobody wants to know. */
extern void (*toy_visit)(const uint64_t state[2]);

/* One execution. The trace brings its steps and their capacity, which is the step limit, and room
 * for TOY_TOUCHES_MAX touches; values
 * gets the variables as they are in the end. */
void toy_execute(const struct toy_program *program, const struct strategy *strategy, bool cache,
                 const void *state, const struct schedule *schedule, struct trace *trace,
                 int32_t values[TOY_OBJECTS_MAX]);

#endif
