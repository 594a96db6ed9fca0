/* The claim: the strongest true sentence about what a search explored, kept as data. Reports print
 * its text and never say more. Whatever a search missed, cut or could not model must be a field of
 * struct claim_facts, or the claim would promise too much. */
#ifndef CORE_CLAIM_H
#define CORE_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/states.h"

enum claim_kind {
    CLAIM_NOTHING,
    CLAIM_SAMPLED,
    CLAIM_WITHIN_BOUND,
    CLAIM_ALL_CLASSES,
    CLAIM_ALL_STATES,
    CLAIM_ALL,
    CLAIM_BLOCKS, /* all orders of atomic blocks that can matter (strategy/blocks/atomic_blocks.h)
                   */
    /* as CLAIM_BLOCKS, and no deadlock of locks taken in a circle was missed */
    CLAIM_BLOCKS_AND_CIRCLES,
};

enum stop_reason {
    STOP_NONE, /* the search ended by itself */
    STOP_FINDING,
    STOP_EXECUTIONS, /* the limit --executions */
    STOP_TIME,       /* the limit --time */
    STOP_INTERRUPT,  /* the user interrupted the search */
    STOP_REFUSED,    /* the program did something that is not modelled */
    STOP_REPLAY,     /* only one recorded schedule was run */
};

enum unreduced { /* bit numbers of claim_facts.unreduced */
#define UNREDUCED(name, word, text) UNREDUCED_##name,
#include "core/unreduced.def"
#undef UNREDUCED
                 UNREDUCED_CAUSES
};

struct guarantee { /* of probabilistic concurrency testing (PCT); depth 0: no guarantee */
    uint32_t depth, threads, steps; /* d, n and k in the PCT paper */
    uint64_t executions;            /* the executions that the guarantee holds for */
};

struct shared_memory { /* memory shared with a process that the program started; process 0: none */
    uint64_t process, address;
};

struct claim_facts {
    enum claim_kind kind; /* what the strategy promises for a complete search */
    bool complete;        /* no work was left within the bound asked for */
    enum stop_reason stopped;
    const char *bound_name; /* e.g. "preemptions"; NULL: the strategy takes no bound */
    bool reduces;           /* the strategy runs one or few of equivalent interleavings */
    /* the bound limits where, not how often, an execution leaves the default order */
    bool bound_is_depth;
    int32_t bound_done;       /* last bound that was completed; below 0: none */
    uint64_t executions;      /* executions over all restarts */
    uint64_t last_executions; /* executions of the last search; 0: unknown */
    /* classes of the last search, or of the part that a reduction searched; 0: unknown */
    uint64_t classes;
    bool turns_left_out; /* futile iterations of loops are not counted in `classes` */
    uint64_t cut_by_steps, cut_by_cycles;
    uint64_t cut_by_time;     /* executions in which nothing moved when the search was over */
    bool left;                /* a thread that came to no operation was left where it computed */
    uint64_t cut_as_explored; /* executions cut where another execution explores all that follows */
    uint32_t steps_max;
    uint32_t findings_dropped, races_unpromoted;
    uint64_t lost;     /* executions dropped for want of space, with all that would have followed */
    bool unrepeatable; /* an execution came out differently when it was run again */
    /* bits by enum unreduced: what occurred whose orders the reduction does not fully know */
    uint32_t unreduced;
    bool faulty; /* a test hid something from the search (--fault) */
    /* memory is shared without a lock, which the strategy assumes not to happen */
    bool undisciplined;
    struct shared_memory shared; /* memory that a process which is not controlled may write */
    bool synchronisation_only;   /* plain accesses were no steps */
    bool all_points;             /* all of them were */
    /* the program was instrumented; else that is why plain accesses were no steps */
    bool instrumented;
    bool waits;        /* a thread waited on a condition variable */
    uint32_t spurious; /* spurious wake-ups explored in each execution, at most */
    bool atomic_sections, ignored_accesses; /* the program asked for them (bohr.h) */
    bool benign_races; /* the program marks some races as benign: they are not reported */
    bool trusted;   /* operations of code that the user trusts are no scheduling points (--trust) */
    bool gives_way; /* a thread that gave way was held back until others had a step */
    bool points_added; /* racing sites became scheduling points in the middle of the search */
    /* of executions that differ only in which of several equal threads does what, one was run */
    bool symmetry;
    /* functions whose threads could be told apart, so that `symmetry` does not hold for them */
    uint32_t told_apart;
    bool cached; /* of executions with equivalent pasts only one was continued (--cache) */
    struct states_count states;
    struct guarantee guarantee;
    const char *unseen; /* a sentence about code that was not instrumented; NULL: there is none */
    /* a sentence about functions with unknown effects; NULL: there are none */
    const char *unknown_functions;
    const char *refusal; /* what was refused, if `stopped` is STOP_REFUSED */
};

enum { CLAIM_TEXT_MAX = 2048 };

struct claim {
    enum claim_kind kind;
    const char *bound; /* what is bounded, if kind is CLAIM_WITHIN_BOUND */
    int32_t value;
    uint32_t unreduced; /* the bits of struct claim_facts */
    struct shared_memory shared;
    char text[CLAIM_TEXT_MAX];
};

void claim_state(struct claim *claim, const struct claim_facts *facts);
const char *claim_word(enum claim_kind kind);
const char *unreduced_word(enum unreduced cause);

#endif
