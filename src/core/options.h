/* Options as the worker needs them: the coordinator writes it to the board before
 * the first worker starts. */
#ifndef CORE_OPTIONS_H
#define CORE_OPTIONS_H

#include "core/hierarchy.h"
#include "core/written.h"

enum {
    OUTPUT_PATH_MAX = 1024,
    SPURIOUS_MAX = 100,  /* largest --spurious */
    SUPPRESSED_MAX = 64, /* distinct findings that --suppressions matched */
    ALWAYS_MAX = 16,     /* errors of every execution that a search goes on past, at most */
    TRUST_NAMES_MAX = 1024,
    TRUST_RANGES_MAX = 64,
};

enum points { POINTS_SYNC, POINTS_RACE, POINTS_ALL };
enum races { RACES_OFF, RACES_WARN, RACES_ERROR };
enum isolate { ISOLATE_AUTO, ISOLATE_RESET, ISOLATE_FORK, ISOLATE_EXEC };
enum carrier { CARRIER_FIBERS, CARRIER_KERNEL };
/* Causes that take interleavings or accesses out of the search: marks of the program
 * (include/bohr.h) or of the user (--trust), code that the program made at run time, and threads
 * that give way where they could have gone on. */
enum mark {
    MARK_ATOMIC = 1,
    MARK_IGNORE = 2,
    MARK_TRUST = 4,
    MARK_BENIGN = 8,
    MARK_CODE = 16,
    MARK_GIVES_WAY = 32
};
enum { EXIT_ANY = -1 }; /* --expect-exit any: every exit status is right */
/* what the output must be: anything, that of the first execution, a given one */
enum output { OUTPUT_ANY, OUTPUT_SAME, OUTPUT_EXPECTED };
enum tracking { TRACKING_AUTO, TRACKING_USERFAULT, TRACKING_PROTECT };
/* Where to take checkpoints that are not at the first decision: nowhere, where they pay, or at each
 * step. */
enum checkpoints { CHECKPOINTS_NONE, CHECKPOINTS_AUTO, CHECKPOINTS_FORCED };

struct trust {                   /* code whose operations are no scheduling points */
    char names[TRUST_NAMES_MAX]; /* names as the user gave them, separated by commas */
    /* the names that are no functions of the program, each ended by a comma */
    char libraries[TRUST_NAMES_MAX];
    uint32_t range_count, reserved;
    struct {
        uint64_t start, end; /* addresses of functions, from the program's base */
    } ranges[TRUST_RANGES_MAX];
};

/* what happens at an error that every execution has */
enum always { ALWAYS_IS_PASSED, ALWAYS_STOPS };

enum replay_end {
    REPLAY_ENDS_ITSELF,
    REPLAY_IN_LIVELOCK, /* in a loop that nothing leads out of */
    REPLAY_IS_CUT,      /* cut at the limit of steps, or earlier, where the loop was recognised */
    REPLAY_STOPS,       /* after the last recorded step, where the strategy cut the execution */
};

/* Errors do not end the search; one of the first execution does. */
enum { KEEP_GOING = 1, KEEP_GOING_FROM_SECOND };

struct options { /* written by the coordinator before the first worker starts */
    char strategy[32];
    uint64_t seed;
    uint64_t executions_max; /* 0: no limit */
    int32_t bound;           /* NO_BOUND: none */
    uint32_t steps_max;
    uint8_t points;       /* enum points */
    uint8_t races;        /* enum races */
    uint8_t isolate;      /* enum isolate */
    uint8_t carrier;      /* enum carrier */
    uint8_t tracking;     /* enum tracking: how reset notices the first write to a page */
    uint8_t exit_waits;   /* --exit wait */
    uint8_t keep_going;   /* 0, or as above */
    uint8_t replay;       /* run only the schedule in board.replay, in full detail */
    uint8_t debugged;     /* of a replay: a debugger runs it, in this process */
    uint8_t replay_end;   /* of a replay: enum replay_end, how it ends */
    uint8_t detail;       /* record stacks for every step */
    uint8_t has_input;    /* standard input is not empty: rewind it for each execution */
    uint8_t checkpoint;   /* enum checkpoints */
    uint8_t instrumented; /* written by the worker: the program called __tsan_init */
    uint8_t marks;        /* written by the worker: enum mark, the marks that the program used */
    uint8_t cache;        /* --cache */
    uint8_t target_first; /* stop when the target shows */
    /* 1 + the kind of the target: findings of that kind, whatever their key; 0: by key */
    uint8_t target_kind;
    /* a race is the target only where one access follows right after the other */
    uint8_t target_adjacent;
    uint8_t points_fixed; /* racing sites do not become scheduling points */
    uint8_t reduction;    /* enum reduction: --reduction */
    uint8_t symmetry;     /* --symmetry */
    uint8_t remember;     /* --remember: there is a memo */
    uint8_t
        shift_layouts; /* --shift-layouts: each worker after the first lies elsewhere in memory */
    /* of a strategy that compares states: no thread is disabled or yields because of a futile
     * iteration */
    uint8_t plain_loops;
    /* --fault state-PART: the part of a state that is not looked at; 0: all are */
    uint8_t state_fault;
    uint8_t samples; /* --corpus: keep executions that showed new classes */
    /* the lockset detector runs because the strategy needs it, not because of --detect */
    uint8_t lockset_warns;
    uint8_t fault;          /* --fault: the kind of operation that is broken on purpose; 0: none */
    uint8_t fault_column;   /* --fault: enum op_fault, what is broken in it */
    uint32_t verify_every;  /* compare all memory after this many resets; 0: never */
    int32_t expect_exit;    /* the exit status that is right, or EXIT_ANY */
    uint32_t threads_ready; /* size of the pool of threads */
    uint32_t detect;        /* --detect: a set of detectors (detector/detector.h) */
    uint64_t stack_size;    /* of each of them */
    uint8_t spurious;       /* --spurious: wake-ups without a signal that an execution may have */
    uint8_t wipes;          /* local states are compared: what we leave on stacks is wiped */
    uint64_t memory_max;    /* bytes of pending work that stay in memory; 0: all */
    uint64_t target;        /* key of the only finding that matters; 0: all do */
    uint64_t work_max;      /* end after so many steps; 0: no limit */
    uint64_t work_each;     /* what an execution counts beside its steps */
    uint64_t fresh_size;    /* of the image of files to put back; 0: none */
    uint64_t live_size;     /* of the table of what is live (core/live.h); 0: none */
    uint64_t live_sum;      /* sum of that table; the same for all workers of a search */
    uint64_t suppressed[SUPPRESSED_MAX]; /* keys of findings that do not count */
    uint32_t output;                     /* enum output: what the program must write */
    uint32_t suppressed_count;
    uint64_t always[ALWAYS_MAX]; /* keys of errors that every execution is taken to have */
    uint32_t always_count;
    uint8_t always_stops; /* enum always: --always */
    uint32_t pass;        /* of a replay: this many errors do not end it, the next one does */
    struct written expect_output;
    /* the file that the program writes; empty: standard output */
    char output_path[OUTPUT_PATH_MAX];
    struct trust trust;
    struct hierarchy hierarchy; /* --priority */
};

/* Local states are compared from the first execution on: it was seen that they must be, or the
 * worker would start again each time. */
static inline bool options_compare_locals(const struct options *options)
{
    return options->wipes || options->detail || options->replay || options->debugged ||
           options->target != 0;
}

/* Index of an error among those that every execution is taken to have; ALWAYS_MAX: none of them. */
static inline uint32_t options_always(const struct options *options, uint64_t key)
{
    for (uint32_t i = 0; i < options->always_count && i < ALWAYS_MAX; i++)
        if (options->always[i] == key)
            return i;
    return ALWAYS_MAX;
}

#endif
