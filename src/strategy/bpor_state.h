/* The state of a bounded reduced search, and what its files share. */
#ifndef STRATEGY_BPOR_STATE_H
#define STRATEGY_BPOR_STATE_H

#include "strategy/bpor.h"
#include "strategy/order.h"
#include "strategy/pace.h"
#include "strategy/strategy.h"
#include "strategy/wakeup.h"

enum { SLEEPERS_MAX = 4096 };
#define HELD_NONE UINT64_MAX

struct sets {
    thread_set waiting, done; /* threads to be run at a step; those run, but for the one in hand */
    uint32_t asleep;      /* a list of nodes: what the latter did, as far as it lets them sleep */
    uint16_t simple;      /* see below */
    struct footprint run; /* where a thread begins to run: all that it touches until it stops */
};

/* Who was run at a step need not be run after others that do not touch what it touches: not for one
 * step if it could go on from there for nothing; else for all that it does until it stops. It does
 * not sleep on where another had to stop for something that it would have made possible: that other
 * one could then be left for nothing. */
struct sleeper {
    struct event event; /* its choice: whether it is simple, one step that makes nothing possible */
    uint32_t first, last; /* steps before which it sleeps; UINT32_MAX: to the end */
};

struct level { /* a step of the branch with such sets */
    uint32_t step;
    struct sets sets;
};

struct bpor {
    struct journal *journal;
    uint32_t steps_max;
    int32_t bound_max; /* or NO_BOUND */
    enum bpor_rule left_out;
    bool shared;   /* by several workers */
    uint64_t held; /* now.learned, if what follows is of the trace learnt last; else HELD_NONE */
    struct order order;
    struct sets *at;     /* by step */
    struct event *taken; /* by step: what was done */
    uint32_t *cost;      /* by step: preemptions before it */
    uint32_t *begin;     /* by step: where its thread began to run, or gave way */
    uint32_t *last;      /* by thread: 1 + its last step before the one in hand */
    uint32_t *led;   /* by thread: 1 + the step that woke it, whereas it could have timed out; 0 */
    uint32_t *woken; /* by thread: 1 + the step before that one without which it could not go on */
    uint32_t *pending;        /* what comes before the pending operation in hand: a clock */
    struct sleeper *sleepers; /* by `first` */
    uint32_t sleeper_count;
    struct { /* what the execution in flight follows, and the one before it */
        struct decision *prefix;
        struct level *levels;
        struct event *asleep; /* before step `from` */
    } plans[2];
    struct event *resting;       /* choose(): those of asleep that still sleep */
    struct event *events;        /* one for each of some threads; scratch */
    struct pace_point *paces[2]; /* of even and odd bounds */
    uint64_t *sent;              /* what was returned, as far as there is room (returns.h) */
    struct {
        uint64_t beyond;        /* 1 + now.learned: it was cut since going on would cost too much */
        uint32_t count, looked; /* … up to this step */
        uint32_t cost;          /* … and preemptions before that */
    } flight;
    struct {
        uint64_t learned; /* traces */
        int32_t bound;
        uint32_t plan;
        uint32_t prefix_count, level_count, asleep_count;
        uint32_t from;  /* where it leaves the one before */
        uint32_t cost;  /* preemptions before that */
        uint32_t check; /* fingerprint of what comes before that */
        uint8_t ended, diverged;
        uint8_t beyond;  /* something was left out that costs more than this bound */
        uint8_t adopted; /* it leaves none of ours: who sleeps is found from the levels */
        uint8_t lost;    /* what was found is not known to all that must know it */
        uint8_t knows_root, told_root, told_end; /* what the crown is to know, and does */
        uint16_t root_choices; /* outcomes that the step before `floor` can have, … */
        struct event root;     /* … and how its thread sleeps */
        uint32_t floor;        /* steps before this one belong to the crown */
        uint32_t task;         /* subtrees that were adopted */
        uint32_t returns;      /* threads to be run there (returns.h) */
        uint64_t first;        /* of the traces: of this bound */
        struct estimate estimate;
        struct pace pace[2]; /* of even and odd bounds: this one and the one before */
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

/* Inside an execution (bpor_flight.c). */
struct decision bpor_choose(struct pilot *pilot, const struct choice_point *at);

/* What the thread of a step was to do next, if it had to stop there; NULL: it had not
 * (bpor_sleep.c). */
const struct op *bpor_stopped_at(const struct bpor *bpor, const struct step *steps, uint32_t count,
                                 uint32_t step, const thread_set *enabled,
                                 const struct op *pending);
bool bpor_wakes(const struct event *sleeper, const struct event *taken, const struct op *stopped);
/* Who sleeps where on the branch, for the steps from `same` on; what threads touch from where they
 * begin to run. */
void bpor_find_sleepers(struct bpor *bpor, const struct trace *trace, uint32_t same);
void bpor_note_runs(struct bpor *bpor, const struct trace *trace, uint32_t first);
const struct sleeper *bpor_find_sleeper(const struct bpor *bpor, uint32_t step, thread_id thread);
/* How the thread that ran at a step sleeps, once it is done there; if it touches too much, it does
 * not. */
struct event bpor_sleeping_event(const struct bpor *bpor, const struct trace *trace, uint32_t step);
void bpor_put_to_sleep(struct bpor *bpor, const struct trace *trace, uint32_t step);

/* What came later: a step, or an operation that was still pending. */
struct late {
    uint32_t step; /* or the number of all steps */
    thread_id thread;
    uint32_t last, woken; /* its thread's, as above: what it comes after whatever else happens */
    uint32_t led;         /* … and what it need not have waited for */
    const struct op *op;
    const uint32_t *clock; /* if it waits for readers: what comes before it */
    bool pends;
};

/* It could have come before a step: who leads to it is to be run there, and where that one's thread
 * began (bpor_points.c). */
void bpor_add_points(struct bpor *bpor, const struct trace *trace, uint32_t step,
                     const struct late *late);
bool bpor_is_known(const struct bpor *bpor, const struct late *late, uint32_t step);

/* Each step from the first on, and what was pending in the end, against those before
 * (bpor_look.c). */
void bpor_look(struct bpor *bpor, const struct trace *trace, uint32_t first);

/* For several workers (bpor_share.c): threads are to be run at a step above the floor, unless one
 * that is enough is run there. */
enum { RETURN_ENOUGH = 1, RETURN_ADDED = 2 };
void bpor_return(struct bpor *bpor, uint32_t step, const thread_set *enough,
                 const thread_set *added);
void bpor_note_root(struct bpor *bpor, const struct trace *trace);
bool bpor_split(void *state, const struct trace *trace, struct parcel *out);
bool bpor_adopt(void *state, const struct subtree *subtree);

#endif
