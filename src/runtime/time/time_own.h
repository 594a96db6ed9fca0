/* State of the folder time/, kept for each thread and each execution. */
#ifndef RUNTIME_TIME_TIME_OWN_H
#define RUNTIME_TIME_TIME_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call of malloc or stdio, which a signal handler must not find half-done (time/signal_unsafe.h)
 */
struct stateful_call {
    const char *name; /* NULL: none so far */
    uintptr_t site;
    uint64_t unblocked; /* signals that could interrupt it */
    uint32_t steps;     /* taken when it was called */
};

struct thread_signals {
    uint64_t blocked, pending; /* signal n is bit n - 1 */
    uint64_t awaited;          /* by its pending wait for a signal */
    uint64_t before;           /* blocked again when the handler returns, if suspended */
    struct queued *queue;      /* what is known of the pending ones, first come first */
    struct handler *handlers;  /* that run, on the thread's stack, innermost first */
    char *stack;               /* sigaltstack */
    size_t stack_size;
    struct stateful_call last_call; /* since its last operation, or before that */
    uint64_t let_in; /* by changing the mask while it held a lock; may be out of date */
    uint8_t sending; /* the signal that its pending operation sends */
    bool suspended;  /* by sigsuspend */
};

struct thread_time {
    uint8_t asleep;       /* the kind of the second step of a wait, also while a handler runs; 0 */
    uint8_t interruption; /* enum interruption: what a handler does to its pending operation */
    bool interrupted;     /* a handler has done that */
    bool restarts;        /* the last handlers were all installed with SA_RESTART */
    uint32_t timeouts;    /* how often it has timed out at timeout_site before */
    uintptr_t timeout_site; /* of its last timeout */
    uint32_t looks;         /* at the clock, since it last slept */
    uint64_t cpu_time;      /* virtual nanoseconds */
    struct timer *timer;    /* that it stands for; NULL: it is a thread, or the end of a child */
};

struct execution_clock {
    uint64_t time, cpu_time; /* virtual nanoseconds since the start */
};

struct execution_signals { /* sent to the process, and blocked by all threads */
    uint64_t pending;
    struct queued *queue;
    bool handlers_set; /* the program has installed one */
};

struct execution_timers {
    struct timer *all, *interval[3]; /* of timer_create; of setitimer */
    uint32_t made;
    bool set;            /* there may be one */
    uint8_t objects[64]; /* their addresses name timers */
};

#endif
