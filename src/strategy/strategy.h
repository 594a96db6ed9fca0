/* A strategy is a way to search: traces in, schedules out. It never sees a process, a clock or an
 * address.
 *
 * plan and learn run between executions, choose inside one. All lasting state lies in `state` and
 * in memory taken from the arena (zero at first); both survive the process. What choose keeps for
 * the execution in flight lies there too; choose resets it when pilot->position is 0.
 *
 * plan and learn run inside one journal transaction. Each saves what it changes first
 * (journal_save), so that a worker that is killed at any instruction can continue from the last
 * sealed state. */
#ifndef STRATEGY_STRATEGY_H
#define STRATEGY_STRATEGY_H

#include <stddef.h>

#include "base/arena.h"
#include "base/rng.h"
#include "core/claim.h"
#include "core/contribution.h"
#include "core/estimate.h"
#include "core/hierarchy.h"
#include "core/journal.h"
#include "core/memo.h"
#include "core/schedule.h"
#include "core/states.h"
#include "core/subtree.h"
#include "core/trace.h"

enum { NO_BOUND = -1 };

enum reduction { REDUCTION_OPTIMAL, REDUCTION_SOURCE, REDUCTION_CLASSIC };

struct object;

struct strategy_options {
    uint64_t seed;
    uint64_t executions_max; /* 0: no limit */
    int32_t bound;           /* last bound to search, or NO_BOUND */
    uint32_t steps_max;
    enum reduction reduction;
    struct hierarchy hierarchy; /* priorities of `best` */
    /* Where the objects lie that `hierarchy` names; NULL: unknown; borrowed. */
    const struct object *objects;
    uint32_t left_out; /* for tests: the rule that bpor leaves out (bpor.h); 0: none */
    bool cache;        /* choose_unseen() will be called, with classes */
    /* Other workers search too: begin with nothing, and wait at the end of each bound. */
    bool shared;
    uint32_t worker; /* number of this worker */
    bool fails;      /* Executions failed, or threads were struck, in some worker. */
    /* Sites that the search knows; SITE_WIDE marks one after which the code looks at the clock;
     * borrowed. */
    const uint64_t *sites;
    uint32_t site_count;
    struct memo *memo;            /* Memory of earlier runs, to which this one adds; NULL: none. */
    uint64_t memory_max;          /* bytes for what the strategy remembers; 0: its own limit */
    const struct decision *start; /* for shrink: every step of one execution; borrowed */
    uint32_t start_count;
    bool seeks; /* the execution `start` may not show the finding */
};

struct pilot { /* The working data of choose(), reset for each execution. */
    const void *state;
    const struct schedule *schedule;
    struct rng rng;    /* seeded with schedule->seed */
    uint32_t position; /* 1 + the last step that choose() was called for; 0: not called yet */
};

/* The first step that choose() has not seen. Only decisions call choose(), and a step need not be
 * one. */
static inline uint32_t pilot_first_new(const struct pilot *pilot)
{
    return pilot->position == 0 ? 0 : pilot->position - 1;
}

static inline void pilot_looked(struct pilot *pilot, const struct choice_point *at)
{
    pilot->position = at->step + 1;
}

struct progress {          /* How far the search is; the worker keeps a copy for the coordinator. */
    enum claim_kind claim; /* kind of claim if the search ends without a loss */
    bool complete;         /* no pending execution is left within the bound asked for */
    int32_t bound;         /* bound being searched, or NO_BOUND */
    bool over;             /* the search is complete, whatever other workers have pending */
    bool sampled;          /* the planned execution belongs to no bound */
    uint64_t pending;      /* pending executions that are known; 0 if unknown */
    const void *kept;      /* memory that holds pending executions, if it is large */
    uint64_t kept_bytes;   /* size of `kept`; the memory beyond it is not in use */
    uint64_t anew;         /* number of executions before the last restart */
    uint64_t tree_bytes;   /* most bytes that pending orders have taken; 0: the strategy has none */
    /* Executions dropped for want of memory, together with all that would have followed from
     * them. */
    uint64_t lost;
    struct states_count states; /* states that were compared */
    struct estimate estimate;   /* estimate of the pending executions within this bound */
    struct guarantee guarantee; /* the guarantee of a sampler that gives one */
};

/* How a reduction treats a loop that waits for several values: it knows nothing of it; each
 * iteration counts as the reads that it is; or a thread takes no further step after a futile
 * iteration (runtime/progress/vain.h). */
enum turn_rule { TURNS_UNKNOWN, TURNS_READ, TURNS_SKIPPED };

struct strategy_traits {    /* Facts about a strategy for the runtime and the coordinator. */
    const char *bound_name; /* what --bound counts, such as "preemptions"; NULL: no bound */
    int32_t bound_min;      /* smallest value of --bound */
    /* The bound limits the first decisions of an execution, not its whole length. */
    bool bound_is_depth;
    bool remembers; /* remembers from one run to the next, if there is a memo (--remember) */
    bool symmetric; /* The search does not depend on the numbers of equal threads (--symmetry). */
    bool steady;    /* progress() always says the same */
    /* The strategy needs the touches of steps, and choose() is called before each step. */
    bool reduces;
    /* The reduction knows what signals, cancellation and timers do to other threads. */
    bool reduces_strikes;
    /* The part that reduces runs beside parts that explore the same: an operation that it does not
     * know lowers no claim of theirs. */
    bool reduces_in_part;
    /* Some decisions of the plan, those after check_step, never ran in this order: the program may
     * end the execution before them. */
    bool foresees;
    enum turn_rule turns;
    /* The strategy needs the states of choice points, and choose() is called before each step.
     * Loops are found by states only: no thread is disabled or yields for a futile iteration. */
    bool compares;
    /* The strategy assumes that locks guard all shared memory. The runtime checks this, and plain
     * accesses are among the touches. */
    bool disciplined;
};

enum crown_kind { CROWN_NONE, CROWN_OF_SEQUENCES, CROWN_OF_THREADS };

/* How several workers share a search. The functions are called inside a transaction; split and
 * adopt are both NULL: one worker only. */
struct strategy_sharing {
    /* The kind of alternatives of the crown, to which split parts go and which hands out what is
     * adopted (parallel/crown.h). split() is called also when nothing is left to run; the trace is
     * then meaningless. CROWN_NONE: parts go to any idle worker. */
    enum crown_kind crown;
    /* The strategy restarts at the first failure and at code that looks at the clock; then all
     * workers restart. */
    bool begins_anew;
    /* After learn, before plan: gives away part of the pending work. false: too little is left. */
    bool (*split)(void *state, const struct trace *trace, struct parcel *out);
    /* While nothing is planned: takes one more subtree to search. false: the subtree is of another
     * strategy. */
    bool (*adopt)(void *state, const struct subtree *subtree);
    /* While nothing is planned, and all workers are through with the bound: begins the next
     * bound. */
    void (*rise)(void *state); /* NULL: there are no bounds */
};

struct strategy {
    const char *name;
    const char *summary; /* one line, for --help */
    struct strategy_traits traits;
    struct strategy_sharing sharing;
    size_t state_size;
    void (*open)(void *state, const struct strategy_options *options, struct arena *arena,
                 struct journal *journal);
    bool (*plan)(void *state, struct schedule *next); /* false: no execution is left to try */
    struct decision (*choose)(struct pilot *pilot, const struct choice_point *at);
    void (*learn)(void *state, const struct trace *trace);
    struct progress (*progress)(const void *state);

    /* The following may be NULL. */
    /* choose() for --cache: cuts the execution at a past that was seen before. NULL: the strategy
     * has no cache. */
    struct decision (*choose_unseen)(struct pilot *pilot, const struct choice_point *at);
    /* Whether the planned execution is one of a part that reduces. NULL: `reduces` says it. */
    bool (*reduces_now)(const void *state);
    /* Learns from an execution that another strategy planned. NULL: it does not. */
    void (*watch)(void *state, const struct trace *trace);
    /* Of a portfolio: what each of its strategies has done, at most CONTRIBUTIONS_MAX. */
    uint32_t (*contributions)(const void *state, struct contribution *out);
    /* Called after learn when racing sites became scheduling points. NULL: the search restarts. */
    void (*more_points)(void *state);
    /* Called when there is no memory for more pending executions: from now on, further ones are
     * lost. Runs in a transaction of its own. NULL: the search cannot continue. */
    void (*full)(void *state);
};

/* choose() of strategies that leave the default only where their schedule says so. */
struct decision choose_default(struct pilot *pilot, const struct choice_point *at);

/* The whole search as a subtree; of a sampler the first `executions`, without end if 0. */
struct subtree strategy_whole(const struct strategy *strategy, uint64_t executions);

/* Whether the planned execution is reduced. */
bool strategy_reduces(const struct strategy *strategy, const void *state);

/* All strategies in the order of `bohr list strategies`; the last entry is NULL. */
extern const struct strategy *const strategies[];
const struct strategy *strategy_find(const char *name); /* NULL: unknown */
/* strategy_find() that also knows the internal strategies shrink, wander, follow and critical. */
const struct strategy *strategy_of_worker(const char *name);

#endif
