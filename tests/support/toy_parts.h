/* Shared by the files of the toy engine: the state of a toy program that runs. toy_engine.c takes
 * steps, toy_alerts.c is what comes between a thread and its next one: signals, cancellation,
 * timers. */
#ifndef SUPPORT_TOY_PARTS_H
#define SUPPORT_TOY_PARTS_H

#include "support/toy.h"

enum { TOY_FRAMES_MAX = TOY_SIGNALS + 1 };
enum {
    TOY_SIGNALS_OBJECT = 1 + 6 * TOY_OBJECTS_MAX, /* of a thread; of the process: the last */
    TOY_CANCEL_OBJECT = TOY_SIGNALS_OBJECT + TOY_THREADS_MAX + 1,
    TOY_ACTIONS_OBJECT = TOY_CANCEL_OBJECT + TOY_THREADS_MAX,
    TOY_TIMER_OBJECT,
    TOY_ALL_OBJECTS
};

enum sleep { AWAKE, ASLEEP, SIGNALLED };

struct toy_thread {
    uint32_t list, next; /* the operation to come is lists[list].ops[next] */
    bool ended;
    enum sleep sleep;  /* inside a wait or a barrier */
    bool timed_out;    /* of a wait, while the mutex was held */
    uint32_t deadline; /* of a sleep */
    uint32_t turn;     /* 1 + the first step of its last, futile iteration: it waits for
                          a change of what it has read there; 0 */
    bool stays;        /* takes no further step instead */
    uint32_t awaits;   /* 1 + how often the variable had been written when it was read without
                          success; 0 */
    bool yielded;      /* by its last step */
    thread_set owed;   /* after a yield: the threads that go first, if enabled */
    uint32_t children;
    uint64_t name;  /* of (parent, k-th child) */
    uint64_t past;  /* all that happened before its next step, as a fingerprint */
    uint64_t start; /* all that happened before its first step, likewise */
    bool begun;
    struct toy_alerts {          /* signals and cancellation */
        uint8_t blocked, posted; /* sets of signals: a bit for each */
        uint8_t kind;     /* OP_SIGNAL_HANDLE or OP_CANCELLED: in place of what it was to do; 0 */
        bool interrupted; /* that operation had to wait then, and may fail */
        bool requested, exiting; /* cancellation */
        bool woken;              /* by it, inside a wait */
        uint8_t depth;
        struct toy_frame { /* a handler that runs, on top of those before it */
            uint8_t handler, next;
            uint8_t before; /* what was blocked */
        } frames[TOY_FRAMES_MAX];
    } alerts;
    bool is_timer;
    uint32_t expiry; /* of a timer */
};

struct toy_object { /* what happened to it, in the order that matters */
    uint64_t writes, reads;
};

struct toy {
    const struct toy_program *program;
    struct toy_thread threads[TOY_THREADS_MAX];
    uint32_t thread_count;
    thread_id thread_of[TOY_THREADS_MAX]; /* by list; NO_THREAD: not created */
    thread_id owner[TOY_OBJECTS_MAX];     /* of mutexes; NO_THREAD: free */
    int32_t values[TOY_OBJECTS_MAX];
    uint32_t written[TOY_OBJECTS_MAX]; /* how often variables were */
    uint32_t readers[TOY_OBJECTS_MAX]; /* of read-write locks; RWLOCK_WRITTEN */
    uint32_t counts[TOY_OBJECTS_MAX];  /* of semaphores */
    uint32_t inside[TOY_OBJECTS_MAX];  /* of barriers */
    struct toy_object objects[TOY_ALL_OBJECTS];
    uint8_t posted, ignored; /* signals of the process */
    thread_id timer;         /* NO_THREAD: none was set yet */
    uint32_t time;
    bool time_matters; /* somebody looks at the clock */
    uint64_t all;      /* the past of the last step that depends on all others */
    uint64_t joined;   /* sum of the pasts of equal threads that were joined */
    struct op pending[TOY_THREADS_MAX];
    thread_set enabled, live;
    struct trace *trace;
    enum turn_rule turns;
    bool loops;                    /* the program has some */
    bool forgotten[TOY_STEPS_MAX]; /* steps of futile iterations: no part of the class */
    uint8_t waited[TOY_STEPS_MAX]; /* touches of a step, its last, for what it has waited for: nor
                                      are they */
};

/* The operation a thread is about to do; NULL: it has none left. And that of its own list, if a
 * handler runs. */
const struct toy_op *toy_next(const struct toy *toy, thread_id thread);
const struct toy_op *toy_own(const struct toy *toy, thread_id thread);
uint32_t toy_mutex_state(const struct toy *toy, uint32_t mutex);
/* The thread has to wait, or its operation would time out if it were carried out now. */
bool toy_is_waiting(const struct toy *toy, thread_id thread);
void toy_touch(struct toy *toy, struct step *step, uint32_t object, enum touch_access access);
thread_id toy_begin_thread(struct toy *toy, uint64_t name);
void toy_reach(struct toy *toy, struct step *step, uint32_t moment);

/* toy_alerts.c. The operation of a thread that is one of these kinds, or has something else in its
 * place. */
bool alerts_are_next(const struct toy_op *op);
struct op alerts_op(const struct toy *toy, thread_id thread, const struct toy_op *op);
struct op alerts_replace(const struct toy *toy, thread_id thread, struct op op);
bool alerts_can_run(const struct toy *toy, thread_id thread, const struct toy_op *op);
/* Carries it out; true: the thread goes on behind it. */
bool alerts_take(struct toy *toy, struct step *step, const struct toy_op *op, bool *skips);
/* A handler or a cancellation in place of the operation. */
void alerts_strike(struct toy *toy, struct step *step);
/* A thread that was woken to be cancelled has the mutex. */
void alerts_cancel(struct toy *toy, thread_id thread);
/* The thread has announced another operation. */
void alerts_announce(struct toy *toy, thread_id thread);
/* An operation of a handler is over. */
void alerts_advance(struct toy *toy, thread_id thread);
/* Whether time cannot pass the next event of this thread. */
bool alerts_hold_back(const struct toy *toy, thread_id thread);
bool alerts_in_handler(const struct toy *toy, thread_id thread);

#endif
