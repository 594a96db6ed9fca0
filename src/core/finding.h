/* A finding: something wrong in the tested program as the worker saw it, in numbers and addresses,
 * without names. The coordinator adds names, source lines and stacks by running the schedule again.
 * Findings with equal keys are one finding. */
#ifndef CORE_FINDING_H
#define CORE_FINDING_H

#include "core/op.h"
#include "core/thread.h"

enum severity { SEVERITY_WARNING, SEVERITY_ERROR };

enum finding_kind {
#define FINDING(name, word, severity, detector) FINDING_##name,
#include "core/finding.def"
#undef FINDING
    FINDING_KINDS
};

enum { FINDING_PAIRS_MAX = 16 }; /* pairs of places of a race that are named, the first included */
enum { FINDING_PLACES_MAX = 2, FINDING_TEXT_MAX = 256, FINDING_HELD_MAX = 4 };

struct place {
    uint64_t site; /* return address in the tested program; 0: none */
    uint32_t step; /* the step that the access belongs to */
    thread_id thread;
    uint16_t size;  /* bytes accessed */
    uint8_t writes; /* the access writes */
    uint8_t atomic;
    uint16_t reserved;
};

/* One side of a nondeterminism: what a thread should have done, or did, at the first step at which
 * an execution left its schedule. */
enum turn_is {
    TURN_UNKNOWN,
    TURN_STEP, /* the thread carries out op */
    TURN_END,  /* the execution is over */
    /* the thread is enabled; if op has no site, which operation it is about to do is unknown */
    TURN_ABLE,
    TURN_UNABLE, /* the thread is disabled; if op has no site, its operation is unknown */
};

struct turn {
    uint8_t is; /* enum turn_is */
    thread_id thread;
    uint16_t choice;
    struct op op;
    uint64_t address[2]; /* of op's object, and of the second object of a wait; 0: none */
};

struct divergence {
    uint32_t step;
    /* 0: the difference is at `step`; else at `step` or at a step before this one */
    uint32_t before;
    struct turn expected, got;
};

/* The message of a livelock that was found by comparing states: other orders of steps may lead out
 * of the loop. */
#define FINDING_LOOP_OF_STATES "threads can loop forever, and every thread that can run takes part"

/* The message of a possible livelock, a warning. */
#define FINDING_UNENDED "the execution was cut at the limit of steps, and goes round"

/* The message of a crash where a function pointer pointed to no function. */
#define FINDING_ENDLESS   "an endless loop, or a call that never returns"
#define FINDING_LOST_CALL "a call of what is no code"

/* The end of a misuse's message. places[0] is the call in the child process, at the step of the
 * fork. */
#define FINDING_HELD_AT_FORK "is locked in a child process, and another thread held it at the fork"

/* Two places that race on the object of a finding. */
struct race_pair {
    uint64_t key; /* the key that this pair would have as a finding of its own */
    uint64_t site[FINDING_PLACES_MAX];
};

struct finding {
    uint8_t kind;     /* enum finding_kind */
    uint8_t severity; /* enum severity */
    thread_id thread; /* the thread at fault; NO_THREAD for deadlocks */
    uint32_t count;   /* executions that showed the finding */
    /* of a race: pairs of places on its object. Pairs beyond FINDING_PAIRS_MAX are only counted. */
    uint32_t pair_count;
    uint64_t counted;   /* number of the last execution included in `count` */
    uint64_t execution; /* number of the execution that is kept, counted from 1 over all restarts */
    uint64_t key;       /* equal for equal findings; made of kind and places */
    uint32_t preemptions, delays, switches, steps; /* costs of the execution that is kept */
    uint32_t spurious;                             /* spurious wake-ups in that execution */
    uint64_t address; /* the accessed address, or the one that faulted; 0: none */
    uint32_t object;  /* object number of `address`, or NO_OBJECT */
    int32_t status;   /* signal of a crash, exit status of an exit */
    /* [0] where the finding showed; [1] the earlier access of a race */
    struct place places[FINDING_PLACES_MAX];
    /* object numbers of the mutexes that each side of a race holds */
    uint32_t held[FINDING_PLACES_MAX][FINDING_HELD_MAX];
    uint8_t held_count[FINDING_PLACES_MAX]; /* mutexes that each side of a race holds */
    uint8_t stays;                          /* the execution that is kept ended in a livelock */
    uint8_t stops;  /* the strategy cut the execution that is kept at its last step */
    uint8_t passed; /* errors that the execution went on past */
    uint8_t always; /* every execution of the search has this error, whatever the order of steps */
    uint8_t adjacent; /* of a race: its accesses are steps, and one follows right after the other */
    struct divergence divergence;   /* set for a nondeterminism only */
    char message[FINDING_TEXT_MAX]; /* assertion text, exception type; without numbers */
    char file[FINDING_TEXT_MAX];    /* of a failed assertion: its source file; else empty */
    uint32_t line;
    /* of a livelock: the number of steps at the end that repeat, forever unless the finding is a
     * warning; 0: unknown */
    uint32_t cycle;
    /* the promoted sites in force: `sites` entries of board.sites from `sites_first` on */
    uint32_t sites_first, sites;
    struct race_pair pairs[FINDING_PAIRS_MAX];
};

const char *finding_word(enum finding_kind kind);
enum severity finding_severity(enum finding_kind kind);
/* Races on one object are one finding with several pairs of places. */
bool finding_has_pair(const struct finding *finding, uint64_t key);
void finding_add_pair(struct finding *finding, const struct race_pair *pair);
bool finding_is_error(const struct finding *finding); /* true for an error that is not a race */
/* true for a warning that something is left behind at the end */
bool finding_is_untidy(const struct finding *finding);
/* true for a warning: a livelock that nothing proves to be one */
bool finding_is_unended(const struct finding *finding);

#endif
