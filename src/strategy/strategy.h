/* A way to search: traces in, schedules out; it never sees a process, a clock or an address.
 *
 * plan and learn run between executions, choose inside one. All lasting state lies in `state` and
 * in memory taken from the arena (zero at first); both survive the process. What choose keeps for
 * the execution in flight lies there too: it begins anew when pilot->position is 0. plan and learn
 * run inside one journal transaction: each saves what it changes first (journal_save), so that a
 * worker that is killed at any instruction can go on from the last sealed state. */
#ifndef STRATEGY_STRATEGY_H
#define STRATEGY_STRATEGY_H

#include <stddef.h>

#include "base/arena.h"
#include "base/rng.h"
#include "core/claim.h"
#include "core/contribution.h"
#include "core/estimate.h"
#include "core/journal.h"
#include "core/memo.h"
#include "core/schedule.h"
#include "core/states.h"
#include "core/subtree.h"
#include "core/trace.h"
#include "strategy/priority.h"

enum { NO_BOUND = -1 };

enum reduction { REDUCTION_OPTIMAL, REDUCTION_SOURCE, REDUCTION_CLASSIC };

struct object;
struct crown_rules;

struct strategy_options {
    uint64_t seed;
    uint64_t executions_max; /* 0: no limit */
    int32_t bound;           /* the last bound to search, or NO_BOUND */
    uint32_t steps_max;
    enum reduction reduction;
    struct hierarchy hierarchy; /* of best */
    const struct object
        *objects;          /* where they are, for who was told names; NULL: unknown; borrowed */
    uint32_t left_out;     /* for tests: a rule that bpor does without (bpor.h); 0: none */
    bool cache;            /* choose_unseen() will be called, with classes */
    bool shared;           /* others search too: begin with nothing, and wait where a bound ends */
    uint32_t worker;       /* which of them this is */
    bool fails;            /* … and some have seen executions fail, or threads that were struck */
    const uint64_t *sites; /* … and code after these that looks at the clock, where they are marked
                              SITE_WIDE; borrowed */
    uint32_t site_count;
    struct memo *memo;   /* what earlier runs were to remember, and this one is to; NULL: nothing */
    uint64_t memory_max; /* bytes for what is to be remembered; 0: the strategy's own limit */
    const struct decision *start; /* to shrink: every step of an execution; borrowed */
    uint32_t start_count;
    bool seeks; /* … which may not show what is looked for */
};

struct pilot { /* what choose() works with; made anew for each execution */
    const void *state;
    const struct schedule *schedule;
    struct rng rng;    /* seeded with schedule->seed */
    uint32_t position; /* 0: choose() was not called yet; else 1 + the step for which it was */
};

/* The first step that choose() has not seen: only decisions call it, and steps need none. */
static inline uint32_t pilot_first_new(const struct pilot *pilot)
{
    return pilot->position == 0 ? 0 : pilot->position - 1;
}

static inline void pilot_looked(struct pilot *pilot, const struct choice_point *at)
{
    pilot->position = at->step + 1;
}

struct progress {          /* how far the search is; the worker keeps a copy for the coordinator */
    enum claim_kind claim; /* the kind of claim if all goes well to the end */
    bool complete;         /* nothing is left to run within the bound asked for */
    int32_t bound;         /* the bound being searched, or NO_BOUND */
    bool over;             /* … nor anywhere else, whatever other workers have still to do */
    bool sampled;          /* the execution that was planned is none of this bound's */
    uint64_t pending;      /* executions known to be still to run; 0 if unknown */
    const void *kept;      /* the memory that holds them, if there is a lot of it, … */
    uint64_t kept_bytes;   /* … and its size; what is beyond that is of no use to anybody */
    uint64_t anew; /* of the executions, those before it began anew for what they have shown */
    uint64_t tree_bytes; /* most that orders which wait to be run have taken; 0 if there are none */
    uint64_t lost; /* executions for which there was no memory, with all that would have followed */
    struct states_count states; /* that were compared */
    struct estimate estimate;   /* of all that are still to run within this bound */
    struct guarantee guarantee; /* of a sampler that has one */
};

/* What a reduction makes of loops that wait for several values: nothing; each turn is what it is,
 * reads; or one that was in vain ends what its thread does (runtime/memory/vain.h). */
enum turn_rule { TURNS_UNKNOWN, TURNS_READ, TURNS_SKIPPED };

struct strategy {
    const char *name;
    const char *summary;    /* one line, for --help */
    const char *bound_name; /* what --bound counts, e.g. "preemptions"; NULL: takes no bound */
    bool bound_is_depth;    /* it counts from the beginning of an execution, not over all of it */
    int32_t bound_min;      /* smallest --bound */
    bool remembers;         /* from one run to the next, if it has a memo (--remember) */
    bool symmetric; /* what it explores does not depend on the numbers of equal threads (--symmetry)
                     */
    bool reduces;   /* it wants the touches of steps, and choose() is asked before each of them */
    bool reduces_strikes; /* … and it knows what signals, cancellation and timers do to other
                             threads */
    bool foresees; /* … and some decisions of its plan, those after check_step, were never carried
                      out in this order: the program may end the execution before them */
    enum turn_rule turns;
    /* The same for the execution that was planned: the strategy has a part that reduces. NULL: it
     * has none. */
    bool (*reduces_now)(const void *state);
    bool compares; /* it wants the states of choice points, and choose() is asked before each step;
                      loops are not known otherwise: nobody waits or gives way for having gone round
                      one */
    bool reduces_in_part; /* … beside others that explore the same: what it does not know lowers no
                             claim of theirs */
    bool disciplined; /* it takes for granted that locks guard what is shared: that is looked at on
                         the way, and plain accesses are among the touches */
    size_t state_size;
    void (*open)(void *state, const struct strategy_options *options, struct arena *arena,
                 struct journal *journal);
    bool (*plan)(void *state, struct schedule *next); /* false: nothing left to try */
    struct decision (*choose)(struct pilot *pilot, const struct choice_point *at);
    /* The same for --cache: cuts what was seen before. NULL: the strategy has no cache. */
    struct decision (*choose_unseen)(struct pilot *pilot, const struct choice_point *at);
    void (*learn)(void *state, const struct trace *trace);
    /* Learns from an execution that another strategy has planned. NULL: it does not. */
    void (*watch)(void *state, const struct trace *trace);
    struct progress (*progress)(const void *state);
    /* Of a portfolio: what each of its strategies has done, at most CONTRIBUTIONS_MAX. NULL: it is
     * none. */
    uint32_t (*contributions)(const void *state, struct contribution *out);
    bool steady; /* progress always says the same */
    /* After learn: racing sites have become scheduling points. NULL: the search begins anew. */
    void (*more_points)(void *state);

    /* There is no memory for more that waits to be run: from now on what is found is lost. In a
     * transaction of its own; NULL: the search cannot go on. */
    void (*full)(void *state);

    /* For several workers; all NULL: one worker alone. Each runs inside a transaction. */
    const struct crown_rules *crown; /* what is given away goes to the crown, which hands out what
                                        is adopted (crown.h); who has nothing left gives, too: the
                                        trace is then of no use. NULL: to whoever has nothing */
    bool begins_anew; /* for the first failure, and for code that looks at the clock: all do */
    /* After learn, before plan: gives away part of what is left; false: too little is left. */
    bool (*split)(void *state, const struct trace *trace, struct parcel *out);
    /* While nothing is planned: one more subtree to search; false: it is none of this
     * strategy's. */
    bool (*adopt)(void *state, const struct subtree *subtree);
    /* While nothing is planned, and everybody is through with the bound: on to the next one. */
    void (*rise)(void *state); /* NULL: there are no bounds */
};

/* For strategies that leave the default only where their schedule says so. */
struct decision choose_default(struct pilot *pilot, const struct choice_point *at);

/* All that there is to search; a sample's first so many executions, or without end if 0. */
struct subtree strategy_whole(const struct strategy *strategy, uint64_t executions);

bool strategy_reduces(const struct strategy *strategy, const void *state); /* in this execution */

/* In the order of `bohr list strategies`; the last entry is NULL. */
extern const struct strategy *const strategies[];
const struct strategy *strategy_find(const char *name); /* NULL: unknown */
/* The same with what is not for users: shrink, wander, follow, critical. */
const struct strategy *strategy_of_worker(const char *name);

#endif
