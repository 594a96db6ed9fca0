/* A trace: the steps of one execution, and how it ended. */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include "core/op.h"
#include "core/thread.h"

enum outcome {
    OUTCOME_NONE,         /* still running, or the worker died */
    OUTCOME_FINISHED,     /* the program ended by itself, with any exit status */
    OUTCOME_DEADLOCK,     /* live threads, none of them enabled */
    OUTCOME_LIVELOCK,     /* as a deadlock, but one of the threads waits for a value to change */
    OUTCOME_FAILED,       /* assertion, crash, uncaught exception, hang: a finding says which */
    OUTCOME_CUT_STEPS,    /* cut at the step limit */
    OUTCOME_CUT_STRATEGY, /* cut by choose() */
    /* cut in a state it had been in before: what follows is explored from there */
    OUTCOME_CUT_CYCLE,
    OUTCOME_DIVERGED, /* nondeterminism: the schedule did not fit */
    OUTCOMES
};

struct step {
    struct op op;
    thread_set enabled;    /* enabled threads just before this step */
    uint16_t choice;       /* outcome of a data choice, 0 where there is none */
    thread_id thread;      /* the thread that took this step */
    uint16_t alternatives; /* (thread, choice) pairs that could have been taken; 1: no decision */
    uint16_t flags;        /* enum step_flag */
    uint32_t fingerprint;  /* low half of the trace's fingerprint, of all steps before this one */
    uint32_t touches_end;  /* end of this step's touches, which follow those of the step before */
};

enum step_flag {
    STEP_FAILED = 1, /* a try-lock or compare-exchange that changed nothing */
    STEP_ENDS = 2,   /* the program ended the execution with this step */
    STEP_ALL = 4,    /* this step depends on every other step */
    STEP_INSIDE = 8, /* in an atomic section, and not its first step: no other thread could run */
    STEP_IDLE = 16,  /* part of a futile iteration that changed nothing: no part of the class */
    STEP_TIMED_OUT = 64, /* the end of a wait on a condition variable without a signal */
    /* part of a futile iteration that was run in doubt, when no thread was enabled any more, to see
     * whether that is so: no part of the class */
    STEP_DOUBTED = 32,
};

/* Touches relate a step to other steps. Two steps of different threads depend on each other if they
 * touch one object and at least one of them writes it. The class is what follows from the order of
 * dependent steps. */
enum touch_access {
    TOUCH_LEADS, /* this step wakes or creates thread `object`, whose next step comes after it */
    TOUCH_READS,
    TOUCH_WRITES,
    TOUCH_FOLLOWS, /* this step comes after all steps of thread `object`, which has ended */
};

struct touch {
    uint32_t object : 30, access : 2;
};

enum {
    THREADS_OBJECT = 0, /* the numbering of threads, which each creation writes */
    SPURIOUS_OBJECT =
        (1 << 16) - 1 /* the number of spurious wake-ups left; no other object has this number */
};
enum {
    TOUCHED_MEMORY = 1 << 29
}; /* with a hash of 28 bits: four bytes of memory; see struct trace */

struct trace {
    struct step *steps;
    uint32_t count, capacity;
    struct touch *touches; /* of all steps; recorded only if the strategy asks for them */
    enum outcome outcome;
    int32_t status;        /* exit status, if the program finished */
    uint64_t fingerprint;  /* fingerprint of the sequence of steps */
    uint64_t class[2];     /* fingerprint of the happens-before relation */
    uint32_t thread_count; /* threads that ever lived */
    /* unless the program finished: live threads at the end that are never chosen again */
    thread_set waiting;
    /* if the strategy reduces: live threads at the end, except the one that ended the program and
     * those that a futile iteration stopped or --symmetry leaves out */
    thread_set alive;
    struct op pending[THREADS_MAX]; /* next operation of each thread in `waiting` or `alive` */
    /* for each thread in `waiting`: the holder of what it waits for; NO_THREAD: none */
    thread_id owner[THREADS_MAX];
    bool unreduced; /* the execution did something whose orders a reduction does not fully know */
    bool accesses;  /* plain accesses are among the touches, as TOUCHED_MEMORY */
    bool shown;     /* the execution showed the finding that the search looks for */
};

/* Whether the step is a switch away from a thread that is still enabled and has not just
 * yielded. */
bool trace_step_preempts(const struct trace *trace, uint32_t step);
/* Number of enabled threads that the round-robin order skips to get to this step's thread. */
uint32_t trace_step_delays(const struct trace *trace, uint32_t step);
/* True if the step depends on every other step although its operation does not: the code after the
 * operation looks at the clock. */
static inline bool step_is_wide(const struct step *step)
{
    return step->flags & STEP_ALL && !op_depends_on_all(step->op.kind) &&
           !op_moves_time(&step->op, step->op.before) && !op_may_time_out(&step->op);
}
/* Whether a step that leads to a thread replaces that thread's next operation: a signal, a
 * cancellation, a timer that is set again or stopped. */
static inline bool step_strikes(const struct step *step)
{
    return op_depends_on_all(step->op.kind);
}
/* Whether some step from this one on replaces a thread's next operation. */
bool trace_strikes(const struct trace *trace, uint32_t from);
/* True for a wait on a condition variable that returns without a signal: the other outcome of the
 * wait. */
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
    uint32_t spurious; /* number of spurious wake-ups */
};
struct trace_costs trace_costs(const struct trace *trace);

#endif
