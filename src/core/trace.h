/* What happened in one execution, step by step, and how it ended. */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include "core/op.h"
#include "core/thread.h"

enum outcome {
    OUTCOME_NONE,         /* still running, or the worker died */
    OUTCOME_FINISHED,     /* the program ended by itself, with whatever status */
    OUTCOME_DEADLOCK,     /* live threads, none enabled */
    OUTCOME_LIVELOCK,     /* the same, and one of them waits for a value to change */
    OUTCOME_FAILED,       /* assertion, crash, uncaught exception, hang: a finding says which */
    OUTCOME_CUT_STEPS,    /* the step limit */
    OUTCOME_CUT_STRATEGY, /* choose() said so */
    OUTCOME_CUT_CYCLE, /* it came back to where it had been: what follows is explored from there */
    OUTCOME_DIVERGED,  /* the schedule did not fit: nondeterminism */
    OUTCOMES
};

struct step {
    struct op op;
    thread_set enabled;    /* who could have run instead, before this step */
    uint16_t choice;       /* outcome of a data choice, 0 where there is none */
    thread_id thread;      /* who did */
    uint16_t alternatives; /* (thread, choice) pairs that could have been taken; 1: no decision */
    uint16_t flags;        /* enum step_flag */
    uint32_t
        fingerprint; /* of all steps before this one: low half of the running trace fingerprint */
    uint32_t touches_end; /* its touches lie before this one, behind those of the step before */
};

enum step_flag {
    STEP_FAILED = 1, /* try-lock or compare-exchange that changed nothing */
    STEP_ENDS = 2,   /* the execution ended with it, by the program's doing */
    STEP_ALL = 4,    /* it depends on every other step */
    STEP_INSIDE = 8, /* of an atomic section, not its first: nobody else could run */
    STEP_IDLE = 16,  /* a turn of a loop that waits, which changed nothing: no part of the class */
    STEP_TIMED_OUT = 64, /* the end of a wait on a condition variable that nobody had signalled */
    STEP_DOUBTED = 32,   /* the same, when nobody could go on any more, to see whether that is so */
};

/* What ties a step to others. Two steps of different threads depend on each other if they touch an
 * object and one of them writes it; all that follows from the order of such steps is the class. */
enum touch_access {
    TOUCH_LEADS, /* the next step of thread `object` comes after this one: it wakes or makes it */
    TOUCH_READS,
    TOUCH_WRITES,
    TOUCH_FOLLOWS, /* it comes after all steps of thread `object`, which has ended */
};

struct touch {
    uint32_t object : 30, access : 2;
};

enum {
    THREADS_OBJECT = 0, /* the numbering of threads, which each creation writes */
    SPURIOUS_OBJECT =
        (1 << 16) - 1 /* how many spurious wake-ups are left: no other has its number */
};
enum {
    TOUCHED_MEMORY = 1 << 29
}; /* with a hash of 28 bits: four bytes of memory, see struct trace */

struct trace {
    struct step *steps;
    uint32_t count, capacity;
    struct touch *touches; /* of all steps, if the strategy asked for them; else NULL */
    enum outcome outcome;
    int32_t status;                 /* exit status, if it finished */
    uint64_t fingerprint;           /* of the sequence of steps */
    uint64_t class[2];              /* of the happens-before relation */
    uint32_t thread_count;          /* threads that ever lived */
    thread_set waiting;             /* alive at the end, never chosen again */
    thread_set alive;               /* at the end, however it came */
    struct op pending[THREADS_MAX]; /* what each of those was about to do */
    thread_id owner[THREADS_MAX];   /* who holds what each of those waits for; NO_THREAD */
    bool unreduced;                 /* not all orders with what it did are known to a reduction */
    bool accesses;                  /* plain accesses are among the touches, as TOUCHED_MEMORY */
    bool shown;                     /* the finding that is looked for, if there is one */
};

/* A switch away from a thread that is still enabled and has not just given way. */
bool trace_step_preempts(const struct trace *trace, uint32_t step);
/* Enabled threads that the round-robin order skips to get to this step's thread. */
uint32_t trace_step_delays(const struct trace *trace, uint32_t step);
/* It depends on every other step, but not by its operation: the code after that looks at the
 * clock. */
static inline bool step_is_wide(const struct step *step)
{
    return step->flags & STEP_ALL && !op_depends_on_all(step->op.kind) &&
           !op_moves_time(&step->op, step->op.before) && !op_may_time_out(&step->op);
}
/* Whether a step that leads to a thread puts something else in place of what that was to do: a
 * signal, a cancellation, a timer that is set anew or stopped. */
static inline bool step_strikes(const struct step *step)
{
    return op_depends_on_all(step->op.kind);
}
/* Whether some step from this one on does. */
bool trace_strikes(const struct trace *trace, uint32_t from);
/* A wait on a condition variable that returns without a signal: the other outcome of such a wait.
 */
static inline bool step_wakes_spuriously(const struct step *step)
{
    return step->op.kind == OP_COND_WAIT && step->choice != 0;
}
bool trace_step_switches(const struct trace *trace, uint32_t step);

static inline uint32_t trace_touches_begin(const struct step *steps, uint32_t step)
{
    return step > 0 ? steps[step - 1].touches_end : 0;
}

struct trace_costs {
    uint32_t preemptions, delays, switches, points;
    uint32_t spurious; /* wake-ups */
};
struct trace_costs trace_costs(const struct trace *trace);

#endif
