/* Something wrong in the tested program, as the worker saw it: numbers and addresses, no names.
 * The coordinator adds names, source lines and stacks by running the schedule again. */
#ifndef CORE_FINDING_H
#define CORE_FINDING_H

#include "core/op.h"
#include "core/thread.h"

enum severity { SEVERITY_WARNING, SEVERITY_ERROR };

enum finding_kind {
#define FINDING(name, word, severity) FINDING_##name,
#include "core/finding.def"
#undef FINDING
    FINDING_KINDS
};

enum { FINDING_PAIRS_MAX = 16 }; /* of a race: pairs of places that are named, the first included */
enum { FINDING_PLACES_MAX = 2, FINDING_TEXT_MAX = 256, FINDING_HELD_MAX = 4 };

struct place {
    uint64_t site; /* return address in the tested program; 0: none */
    uint32_t step; /* the step it belongs to */
    thread_id thread;
    uint16_t size;  /* bytes accessed */
    uint8_t writes; /* an access that writes */
    uint8_t atomic;
    uint16_t reserved;
};

/* A nondeterminism: the first step at which an execution went another way than its schedule
 * says. */
enum turn_is {
    TURN_UNKNOWN,
    TURN_STEP,   /* the thread carries out op */
    TURN_END,    /* the execution is over */
    TURN_ABLE,   /* the thread could carry out op; no site: what that is is not known */
    TURN_UNABLE, /* the thread could not carry out op; the same */
};

struct turn {
    uint8_t is; /* enum turn_is */
    thread_id thread;
    uint16_t choice;
    struct op op;
    uint64_t address[2]; /* of its object, and of the second one of a wait; 0: none */
};

struct divergence {
    uint32_t step;
    uint32_t before; /* 0: it is that step; else: that one, or one of those up to before this one */
    struct turn expected, got;
};

/* The message of a livelock among states: other orders of steps may lead out. */
#define FINDING_LOOP_OF_STATES "threads can go round for ever, and nobody who can run is left out"

/* The message of what may be a livelock: a warning. */
#define FINDING_UNENDED "the execution was cut at the limit of steps, and goes round"

/* The message of a crash: a function pointer that points to none. */
#define FINDING_LOST_CALL "a call of what is no code"

/* The end of the message of a misuse: places[0] is the child's call, at the step of the fork. */
#define FINDING_HELD_AT_FORK "is locked in a child process, and another thread held it at the fork"

/* Two places that race on the object of a finding. */
struct race_pair {
    uint64_t key; /* as a finding of its own would have */
    uint64_t site[FINDING_PLACES_MAX];
};

struct finding {
    uint8_t kind;        /* enum finding_kind */
    uint8_t severity;    /* enum severity */
    thread_id thread;    /* who did it, NO_THREAD for deadlocks */
    uint32_t count;      /* executions that showed it */
    uint32_t pair_count; /* of a race: pairs of places on its object; those beyond
                            FINDING_PAIRS_MAX only count */
    uint64_t counted;    /* the last execution in `count` */
    uint64_t execution;  /* the first of them, counted from 1 over all restarts */
    uint64_t key;        /* equal for equal findings: kind and places */
    uint32_t preemptions, delays, switches, steps; /* of that execution */
    uint32_t spurious;                             /* … wake-ups of condition variables in it */
    uint64_t address; /* what it is about: the accessed address, the faulting one; 0: none */
    uint32_t object;  /* the same as an object number, or NO_OBJECT */
    int32_t status;   /* signal of a crash, exit status of an exit */
    struct place
        places[FINDING_PLACES_MAX]; /* [0] where it showed; [1] the earlier access of a race */
    uint32_t held[FINDING_PLACES_MAX]
                 [FINDING_HELD_MAX];        /* of a race: mutexes that each side has … */
    uint8_t held_count[FINDING_PLACES_MAX]; /* … as object numbers */
    uint8_t stays;                          /* that execution has ended in a livelock */
    uint8_t stops;                          /* the strategy cut that execution at its last step */
    uint8_t passed;                         /* errors that its execution went on past */
    uint8_t always;   /* every execution of the search has it, whatever the order */
    uint8_t adjacent; /* of a race: its accesses are steps, and one follows right after the other */
    struct divergence divergence;   /* of a nondeterminism */
    char message[FINDING_TEXT_MAX]; /* assertion text, exception type; without numbers */
    char file[FINDING_TEXT_MAX];    /* of an assertion, as it told us; else empty */
    uint32_t line;
    uint32_t cycle; /* of a livelock: the last so many steps repeat, for ever unless it is a
                       warning; 0: unknown */
    uint32_t sites_first, sites; /* promoted sites in force: so many of board.sites from there on */
    struct race_pair pairs[FINDING_PAIRS_MAX];
};

const char *finding_word(enum finding_kind kind);
enum severity finding_severity(enum finding_kind kind);
/* Races on one object are one finding with several pairs of places. */
bool finding_has_pair(const struct finding *finding, uint64_t key);
void finding_add_pair(struct finding *finding, const struct race_pair *pair);
bool finding_is_error(const struct finding *finding); /* an error that is not a race */
bool finding_is_untidy(
    const struct finding *finding); /* no error: something is left behind at the end */
bool finding_is_unended(
    const struct finding *finding); /* no error: a livelock that nothing shows to be one */

#endif
