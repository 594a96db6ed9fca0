/* State of a bounded reduced search, and functions that its files share. */
#ifndef STRATEGY_BPOR_STATE_H
#define STRATEGY_BPOR_STATE_H

#include "strategy/reduction/bpor.h"
#include "strategy/reduction/order.h"
#include "strategy/reduction/pace.h"
#include "strategy/reduction/wakeup.h"
#include "strategy/strategy.h"

enum { SLEEPERS_MAX = 4096 };
#define HELD_NONE UINT64_MAX

struct sets {
    /* Threads to be run at a step; threads that were run, except the current one. */
    thread_set waiting, done;
    uint32_t asleep;      /* list of nodes: events of the `done` threads that sleep */
    uint16_t simple;      /* whether `run` is a simple step, see struct sleeper */
    struct footprint run; /* where a thread begins to run: all that it touches until it stops */
};

/* A thread that was run at a step need not run later, after threads that do not touch what it
 * touches. In the middle of its run it sleeps for one step; where its run begins it sleeps for all
 * that it does until it stops. It wakes where another thread stops for something that it would have
 * made possible: that other thread could then be left at no cost. */
struct sleeper {
    /* The event's choice says whether it is simple: one step that makes nothing possible. */
    struct event event;
    /* The thread sleeps before these steps; last is UINT32_MAX if it sleeps to the end. */
    uint32_t first, last;
};

struct level { /* A step of the branch whose sets matter. */
    uint32_t step;
    struct sets sets;
};

struct bpor {
    struct journal *journal;
    uint32_t steps_max;
    int32_t bound_max; /* last bound to search, or NO_BOUND */
    enum bpor_rule left_out;
    bool shared; /* several workers take part */
    /* now.learned, if `order`, `at` and the rest describe the trace learnt last; else HELD_NONE. */
    uint64_t held;
    struct order order;
    struct sets *at;     /* by step */
    struct event *taken; /* by step: the event that ran */
    uint32_t *cost;      /* by step: preemptions before it */
    uint32_t *begin;     /* by step: where its thread began to run, or gave way */
    uint32_t *last;      /* by thread: 1 + its last step before the step considered */
    uint32_t *led;   /* by thread: 1 + the step that woke it, whereas it could have timed out; 0 */
    uint32_t *woken; /* by thread: 1 + the step before that one without which it could not go on */
    uint32_t *pending;        /* what comes before the pending operation in hand: a clock */
    struct sleeper *sleepers; /* by `first` */
    uint32_t sleeper_count;
    struct { /* Plans of the execution in flight and of the one before it. */
        struct decision *prefix;
        struct level *levels;
        struct event *asleep; /* events that sleep before step `from` */
    } plans[2];
    struct event *resting;       /* choose(): the events of `asleep` that still sleep */
    struct event *events;        /* events of some threads; scratch */
    struct pace_point *paces[2]; /* explored shares of even and odd bounds */
    uint64_t
        *sent; /* fingerprints of what was returned, as far as there is room (worker_report.h) */
    struct {
        /* 1 + now.learned if the execution was cut because a thread would cost too much. */
        uint64_t beyond;
        uint32_t count, looked; /* `resting` is up to date before step `looked` */
        uint32_t cost;          /* preemptions before step `looked` */
    } flight;
    struct {
        uint64_t learned; /* number of traces learnt */
        int32_t bound;
        uint32_t plan;
        uint32_t prefix_count, level_count, asleep_count;
        uint32_t from;  /* step at which the plan leaves the execution before */
        uint32_t cost;  /* preemptions before step `from` */
        uint32_t check; /* fingerprint of the steps before `from` */
        uint8_t ended, diverged;
        uint8_t beyond;  /* something was left out that costs more than this bound */
        uint8_t adopted; /* the plan was adopted: the sleep sets come from its levels */
        uint8_t lost;    /* a return was dropped for want of room: nothing is claimed */
        /* Whether the root has run, and what the crown has been told. */
        uint8_t knows_root, told_root, told_end;
        uint32_t root_check;   /* fingerprint of the steps before `floor` */
        uint16_t root_choices; /* number of outcomes of the step before `floor` */
        struct event root;     /* how the thread of the step before `floor` sleeps */
        uint32_t floor;        /* steps before this one belong to the crown */
        uint32_t task;         /* number of subtrees adopted */
        uint32_t returns;      /* threads that must run above the floor (worker_report.h) */
        uint64_t first;        /* number of the first trace of this bound */
        struct estimate estimate;
        struct pace pace[2]; /* pace of even and odd bounds: this one and the one before */
        struct wakeup nodes;
    } now;
};

static inline bool bpor_keeps(const struct bpor *bpor, enum bpor_rule rule)
{
    return bpor->left_out != rule;
}

static inline bool step_preempts(const struct step *steps, uint32_t step)
{
    if (step == 0 || steps[step].thread == steps[step - 1].thread)
        return false;
    return thread_set_has(&steps[step].enabled, steps[step - 1].thread) &&
           !op_gives_way(steps[step - 1].op.kind);
}

/* choose() inside an execution (bpor_flight.c). */
struct decision bpor_choose(struct pilot *pilot, const struct choice_point *at);

/* The operation that the thread of a step had pending if it was disabled after the step; NULL: it
 * was not (bpor_sleep.c). */
const struct op *bpor_stopped_at(const struct bpor *bpor, const struct step *steps, uint32_t count,
                                 uint32_t step, const thread_set *enabled,
                                 const struct op *pending);
bool bpor_wakes(const struct event *sleeper, const struct event *taken, const struct op *stopped);
/* bpor_find_sleepers(): which threads sleep before which steps of the branch, from `same` on.
 * bpor_note_runs(): what threads touch from where they begin to run. */
void bpor_find_sleepers(struct bpor *bpor, const struct trace *trace, uint32_t same);
void bpor_note_runs(struct bpor *bpor, const struct trace *trace, uint32_t first);
const struct sleeper *bpor_find_sleeper(const struct bpor *bpor, uint32_t step, thread_id thread);
/* How the thread that ran at a step sleeps once it is done there. A thread that touches too much
 * does not sleep. */
struct event bpor_sleeping_event(const struct bpor *bpor, const struct trace *trace, uint32_t step);
void bpor_put_to_sleep(struct bpor *bpor, const struct trace *trace, uint32_t step);

/* A late operation: a step, or an operation that was pending at the end. */
struct late {
    uint32_t step; /* its step; the number of all steps if it was pending */
    thread_id thread;
    /* bpor.last and bpor.woken of its thread: steps that happen before it in every order. */
    uint32_t last, woken;
    uint32_t led; /* bpor.led of its thread: a step that it need not have waited for */
    const struct op *op;
    const uint32_t *clock; /* if it waits for readers: what comes before it */
    bool pends;
};

/* The late operation could have come before a step: a thread that leads to it must run there, and
 * where the run of that step's thread began (bpor_points.c). */
void bpor_add_points(struct bpor *bpor, const struct trace *trace, uint32_t step,
                     const struct late *late);
bool bpor_is_known(const struct bpor *bpor, const struct late *late, uint32_t step);

/* Looks back from each step from `first` on, and from the operations pending at the end
 * (bpor_look.c). */
void bpor_look(struct bpor *bpor, const struct trace *trace, uint32_t first);

/* For several workers (bpor_share.c): returns threads that must run at a step above the floor,
 * unless one of `enough` runs there. */
enum { RETURN_ENOUGH = 1, RETURN_ADDED = 2 };
void bpor_return(struct bpor *bpor, uint32_t step, const thread_set *enough,
                 const thread_set *added);
void bpor_note_root(struct bpor *bpor, const struct trace *trace);
bool bpor_split(void *state, const struct trace *trace, struct parcel *out);
bool bpor_adopt(void *state, const struct subtree *subtree);

#endif
