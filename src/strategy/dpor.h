/* The state of a reduced search: its branch, and what several workers have to know of it. */
#ifndef STRATEGY_DPOR_H
#define STRATEGY_DPOR_H

#include "strategy/order.h"
#include "strategy/strategy.h"
#include "strategy/wakeup.h"

enum { SLEEPERS_MAX = 4096 };
#define HELD_NONE UINT64_MAX

struct lists {
    uint32_t done;    /* of nodes: alternatives that were explored, but for the one in hand */
    uint32_t waiting; /* of trees */
};

struct level { /* a step of the branch at which something is left to do or was done */
    uint32_t step;
    struct lists lists;
};

struct sleeper {
    struct event event;
    uint32_t first, last; /* steps before which it sleeps; UINT32_MAX: to the end */
};

enum root { ROOT_UNKNOWN, ROOT_KNOWN, ROOT_VOID }; /* not run yet; was run; could not be run */

struct dpor {
    struct journal *journal;
    uint32_t steps_max;
    bool shared; /* by several workers */
    enum reduction reduction;
    uint64_t held; /* now.learned, if what follows is of the trace learnt last; else HELD_NONE */
    struct order order;
    struct lists *at;         /* by step */
    struct event *taken;      /* by step: what was done */
    struct sleeper *sleepers; /* by `first` */
    uint32_t sleeper_count;
    struct event *events; /* a sequence; scratch */
    struct event *again;  /* the same */
    uint32_t *path;       /* of nodes; scratch */
    struct {              /* what the execution in flight follows, and the one before it */
        struct decision *prefix;
        struct level *levels;
        struct event *asleep; /* before step `from` */
    } plans[2];
    struct event *resting; /* choose(): those of asleep that still sleep */
    struct {
        uint32_t count, looked; /* … up to this step */
        uint32_t below;         /* what is next of now.below; 0: nothing */
        uint32_t last;          /* step that was planned, … */
        bool unsure;            /* … of which it is not known yet whether it did something */
        thread_set threads;
    } flight;
    uint32_t *checks; /* by step, of the root: fingerprints of what comes before it */
    uint64_t *sent;   /* fingerprints of sequences that were returned, as far as there is room */
    struct {
        uint64_t learned; /* traces */
        uint64_t anew;    /* … when the search began anew */
        uint32_t plan;
        uint32_t prefix_count, level_count, asleep_count;
        uint32_t from;    /* where it leaves the one before */
        uint32_t decided; /* of the prefix: decisions before that */
        uint32_t check;   /* fingerprint of what comes before that */
        uint32_t planned; /* steps that are fixed; the last, by choose() and if it can be, is … */
        struct decision goal; /* … this one; step 0 with no thread: none */
        struct event head;    /* what is to be done at `from` */
        uint8_t ended, diverged, overflow;
        uint8_t chooses;             /* steps with several outcomes were seen */
        uint8_t fails;               /* executions end before their time, at a failure, or threads
                                        are struck */
        uint8_t root;                /* enum root: the step before `floor` */
        uint8_t told_root, told_end; /* the crown knows */
        uint32_t floor;              /* steps before this one belong to the crown */
        uint32_t root_first;         /* … which does not know those from this one on */
        uint32_t task;               /* subtrees that were adopted */
        uint32_t returns;            /* sequences to be run elsewhere (returns.h) */
        uint32_t below; /* trees that wait below the goal, which may turn out to do nothing: the
                           execution follows the first branch */
        struct estimate estimate;
        struct wakeup wakeup;
    } now;
    struct {                /* these seldom change, and are saved when they do */
        struct sites sites; /* of loops, where turns that did nothing were seen */
        struct sites wide;  /* of operations, the code after which looks at the clock */
    } seen;
};

/* Turns of loops that did nothing are no steps of their own. */
static inline bool dpor_is_idle(const struct dpor *dpor, const struct step *step)
{
    return order_forgets(&dpor->order, step);
}

/* The program ended the execution with its last step, so nothing can follow that. */
static inline bool dpor_ends_for_good(const struct trace *trace)
{
    return trace->outcome == OUTCOME_FINISHED || trace->outcome == OUTCOME_FAILED;
}

static inline bool sleeper_sleeps(const struct sleeper *sleeper, uint32_t step)
{
    return sleeper->first <= step && step <= sleeper->last;
}

/* Inside an execution (dpor_flight.c). */
struct decision dpor_choose(struct pilot *pilot, const struct choice_point *at);

/* Who sleeps where on the branch (dpor_sleep.c), for the steps from `same` on. */
void dpor_find_sleepers(struct dpor *dpor, const struct trace *trace, uint32_t same);
/* Some sequence that has this one as its part was explored: that of a reversal, or the first of
 * `events`. */
bool dpor_reversal_is_explored(const struct dpor *dpor, const struct trace *trace,
                               const struct reversal *reversal);
bool dpor_sequence_is_explored(const struct dpor *dpor, uint32_t step, uint32_t count);

/* What is to be run (dpor_insert.c): a reversal; each sequence of some trees, again. */
void dpor_add_reversal(struct dpor *dpor, const struct trace *trace,
                       const struct reversal *reversal);
void dpor_add_again(struct dpor *dpor, uint32_t step, uint32_t list);

/* The branch and the plan (dpor_branch.c). */
struct unfolded { /* steps; UINT32_MAX: none */
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

/* For several workers (dpor_share.c). */
void dpor_return(struct dpor *dpor, uint32_t step, uint32_t count);
void dpor_note_root(struct dpor *dpor, const struct trace *trace);
bool dpor_split(void *state, const struct trace *trace, struct parcel *out);
bool dpor_adopt(void *state, const struct subtree *subtree);

#endif
