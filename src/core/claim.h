/* The strongest true sentence about what was explored, kept as data. */
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
    CLAIM_BLOCKS, /* all orders of atomic blocks that can make a difference (strategy/blocks.h) */
    CLAIM_BLOCKS_AND_CIRCLES, /* … and no threads that wait for each other's locks were missed */
};

enum stop_reason {
    STOP_NONE, /* the search ended by itself */
    STOP_FINDING,
    STOP_EXECUTIONS, /* --executions */
    STOP_TIME,       /* --time */
    STOP_INTERRUPT,  /* the user asked */
    STOP_REFUSED,    /* something that we do not model */
    STOP_REPLAY,     /* one recorded schedule, nothing else */
};

enum unreduced { /* bits of claim_facts.unreduced are numbered by it */
#define UNREDUCED(name, word, text) UNREDUCED_##name,
#include "core/unreduced.def"
#undef UNREDUCED
                 UNREDUCED_CAUSES
};

struct guarantee { /* of probabilistic concurrency testing; depth 0: there is none */
    uint32_t depth, threads, steps; /* d, n and k */
    uint64_t executions;            /* for which it holds */
};

struct shared_memory { /* with a process that the program started; process 0: none */
    uint64_t process, address;
};

struct claim_facts {
    enum claim_kind kind; /* what the strategy promises for a complete search */
    bool complete;        /* nothing was left within the bound asked for */
    enum stop_reason stopped;
    const char *bound_name;   /* e.g. "preemptions"; NULL: the strategy takes no bound */
    bool reduces;             /* of equivalent interleavings it runs one or few */
    bool bound_is_depth;      /* it bounds where, not how often, the default order is left */
    int32_t bound_done;       /* last finished bound; below 0: none */
    uint64_t executions;      /* over all restarts */
    uint64_t last_executions; /* of the last search; 0: unknown */
    uint64_t classes;         /* of the last search, or of its part that reduces; 0: unknown */
    bool turns_left_out;      /* … without turns of loops that wait in vain */
    uint64_t cut_by_steps, cut_by_cycles;
    uint64_t cut_as_explored; /* since another execution explores all that follows */
    uint32_t steps_max;
    uint32_t findings_dropped, races_unpromoted;
    uint64_t lost; /* executions for which no space was left, with all that would have followed */
    bool unrepeatable;  /* an execution did not come out the same when it was run again */
    uint32_t unreduced; /* what a reduction met whose orders it does not all know */
    bool faulty;        /* something was hidden from the search, for a test of it (--fault) */
    bool undisciplined; /* memory is shared without a lock, whereas the strategy takes that not to
                           be so */
    struct shared_memory shared; /* another process may write it, and is not controlled */
    bool synchronisation_only;   /* plain accesses were no steps … */
    bool instrumented; /* … because of --points, or because the program was built without */
    bool waits;        /* condition variables took part, … */
    uint32_t spurious; /* … and so many spurious wake-ups of an execution were explored */
    bool atomic_sections, ignored_accesses; /* the program asked for it (bohr.h) */
    bool benign_races;                      /* the program does not want to be told of some */
    bool trusted;      /* … or the user: operations of some code are no scheduling points */
    bool points_added; /* racing sites became scheduling points in the middle of the search */
    bool symmetry; /* of executions that differ in which of some threads does what one was run, … */
    uint32_t told_apart; /* … but for the threads of so many functions */
    bool cached;         /* of equivalent interleavings only one was continued */
    struct states_count states;
    struct guarantee guarantee;
    const char *unseen; /* what is said of code that was not instrumented; NULL: there is none */
    const char *unknown_functions; /* what is said of functions that nothing is known of; NULL */
    const char *refusal;           /* what was refused, if stopped is STOP_REFUSED */
};

enum { CLAIM_TEXT_MAX = 2048 };

struct claim {
    enum claim_kind kind;
    const char *bound; /* what is bounded, if kind is CLAIM_WITHIN_BOUND */
    int32_t value;
    uint32_t unreduced; /* as in the facts */
    struct shared_memory shared;
    char text[CLAIM_TEXT_MAX];
};

void claim_state(struct claim *claim, const struct claim_facts *facts);
const char *claim_word(enum claim_kind kind);
const char *unreduced_word(enum unreduced cause);

#endif
