/* State of a reduced search: its branch of the tree, and what several workers must know of it. */
#ifndef STRATEGY_DPOR_H
#define STRATEGY_DPOR_H

#include "strategy/reduction/order.h"
#include "strategy/reduction/wakeup.h"
#include "strategy/strategy.h"

enum { SLEEPERS_MAX = 4096 };
#define HELD_NONE UINT64_MAX

struct lists {
    uint32_t done;    /* list of nodes: alternatives that were explored, except the current one */
    uint32_t waiting; /* list of trees: alternatives that wait to be run */
};

struct level { /* A step of the branch with explored or waiting alternatives. */
    uint32_t step;
    struct lists lists;
};

struct sleeper {
    struct event event;
    /* The event sleeps before these steps; last is UINT32_MAX if it sleeps to the end. */
    uint32_t first, last;
};

struct dpor {
    struct journal *journal;
    uint32_t steps_max;
    bool shared; /* several workers take part */
    enum reduction reduction;
    /* now.learned, if `order`, `taken` and `sleepers` describe the trace learnt last; else
     * HELD_NONE. */
    uint64_t held;
    struct order order;
    struct lists *at;         /* by step */
    struct event *taken;      /* by step: the event that ran */
    struct sleeper *sleepers; /* sorted by `first` */
    uint32_t sleeper_count;
    struct event *events; /* a sequence; scratch */
    struct event *again;  /* another sequence; scratch */
    uint32_t *path;       /* nodes on the way down a tree; scratch */
    struct {              /* Plans of the execution in flight and of the one before it. */
        struct decision *prefix;
        struct level *levels;
        struct event *asleep; /* events that sleep before step `from` */
    } plans[2];
    struct event *resting; /* choose(): the events of `asleep` that still sleep */
    struct {
        uint32_t count, looked; /* `resting` is up to date before step `looked` */
        uint32_t below;         /* next node of now.below; 0: none */
        uint32_t last;          /* the last step that ran by plan */
        bool unsure;            /* whether step `last` was a futile iteration is not known yet */
        thread_set threads;
    } flight;
    uint32_t *checks; /* by step of the root: fingerprint of the steps before */
    uint64_t *sent; /* fingerprints of the sequences that were returned, as far as there is room */
    struct {
        uint64_t learned; /* number of traces learnt */
        uint64_t anew;    /* value of `learned` at the last restart */
        uint32_t plan;
        uint32_t prefix_count, level_count, asleep_count;
        uint32_t from;    /* step at which the plan leaves the execution before */
        uint32_t decided; /* number of decisions in the prefix before step `from` */
        uint32_t check;   /* fingerprint of the steps before `from` */
        uint32_t planned; /* number of steps that the plan fixes; choose() takes the last one */
        /* Decision of the last planned step, taken if possible; NO_THREAD: none. */
        struct decision goal;
        struct event head; /* event planned at step `from` */
        uint8_t ended, diverged, overflow;
        uint8_t chooses;             /* some step seen had several outcomes */
        uint8_t fails;               /* Executions fail and so end early, or threads are struck. */
        uint8_t root;                /* enum root: the step before `floor` */
        uint8_t told_root, told_end; /* what the crown (crown.h) was told: the root's steps; that
                                        this subtree is finished */
        uint32_t floor;              /* steps before this one belong to the crown */
        uint32_t root_first;         /* the crown does not know the root's steps from this one on */
        uint32_t task;               /* number of subtrees adopted */
        uint32_t returns;            /* sequences that must run above the floor (worker_report.h) */
        /* Trees that wait below the goal. The goal may turn out to be a futile iteration, so they
         * are kept apart; the execution follows their first branch. */
        uint32_t below;
        struct estimate estimate;
        struct wakeup wakeup;
    } now;
    struct {                /* Parts that seldom change, and are saved when they do. */
        struct sites sites; /* sites of loops where futile iterations were seen */
        struct sites wide;  /* sites of operations after which the code looks at the clock */
    } seen;
};

/* Whether a step is a futile iteration of a loop, which is no step of its own here. */
static inline bool dpor_is_idle(const struct dpor *dpor, const struct step *step)
{
    return order_forgets(&dpor->order, step);
}

/* Whether the program ended the execution with its last step, so that nothing can follow. */
static inline bool dpor_ends_for_good(const struct trace *trace)
{
    return trace->outcome == OUTCOME_FINISHED || trace->outcome == OUTCOME_FAILED;
}

static inline bool sleeper_sleeps(const struct sleeper *sleeper, uint32_t step)
{
    return sleeper->first <= step && step <= sleeper->last;
}

/* choose() inside an execution (dpor_flight.c). */
struct decision dpor_choose(struct pilot *pilot, const struct choice_point *at);

/* Computes which events sleep before which steps of the branch, for the steps from `same` on
 * (dpor_sleep.c). */
void dpor_find_sleepers(struct dpor *dpor, const struct trace *trace, uint32_t same);
/* Whether a sequence was explored as part of another one: the sequence of a reversal, or the first
 * `count` of `events`. */
bool dpor_reversal_is_explored(const struct dpor *dpor, const struct trace *trace,
                               const struct reversal *reversal);
bool dpor_sequence_is_explored(const struct dpor *dpor, uint32_t step, uint32_t count);

/* Adds to the alternatives that wait (dpor_insert.c): a reversal; each sequence of some trees. */
void dpor_add_reversal(struct dpor *dpor, const struct trace *trace,
                       const struct reversal *reversal);
void dpor_add_again(struct dpor *dpor, uint32_t step, uint32_t list);

/* The branch and the plan (dpor_branch.c). */
/* Steps, or UINT32_MAX: a futile iteration; a step whose trees must be planned again. */
struct unfolded {
    uint32_t idle, again;
};

void dpor_load_levels(struct dpor *dpor, const struct trace *trace, uint32_t same);
struct unfolded dpor_unfold(struct dpor *dpor, const struct trace *trace);
void dpor_do_without(struct dpor *dpor, uint32_t step);
void dpor_do_again(struct dpor *dpor, uint32_t step);
uint32_t dpor_deepest_waiting(struct dpor *dpor, const struct trace *trace);
void dpor_branch(struct dpor *dpor, const struct trace *trace, uint32_t same, uint32_t step,
                 bool again);
void dpor_keep_level(struct dpor *dpor, uint32_t plan, uint32_t step, struct lists lists);
void dpor_follow(struct dpor *dpor, uint32_t plan, uint32_t step, uint32_t node,
                 uint32_t prefix_count);

/* Functions for several workers (dpor_share.c). */
void dpor_return(struct dpor *dpor, uint32_t step, uint32_t count);
void dpor_note_root(struct dpor *dpor, const struct trace *trace);
bool dpor_split(void *state, const struct trace *trace, struct parcel *out);
bool dpor_adopt(void *state, const struct subtree *subtree);

#endif
