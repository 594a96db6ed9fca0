/* The board: the memory that worker and coordinator share, and all that they agree on.
 *
 * The coordinator makes a memfd and passes its number in BOHR_BOARD. The worker maps it at
 * BOARD_ADDRESS, the coordinator anywhere, so nothing here is a pointer that both use. The fixed
 * part is struct board. Arrays whose size depends on the options follow at the offsets in
 * board.layout.
 *
 * The tested program may have written here: whatever reads the board checks before it believes. */
#ifndef CORE_BOARD_H
#define CORE_BOARD_H

#include "core/control.h"
#include "core/coverage.h"
#include "core/finding.h"
#include "core/journal.h"
#include "core/memo.h"
#include "core/naming.h"
#include "core/schedule.h"
#include "core/subtree.h"
#include "core/tally.h"
#include "core/trace.h"

#define BOARD_ADDRESS 0x100000000000ul
#define BOARD_MAGIC   0x64726f622d726f62ul

enum {
    BOARD_VERSION = 18,
    BOARD_PAGE = 4096,
    UNUSED_BYTES = 1 << 20,
    UNUSED_TOO_BYTES = 1 << 22,
    TOUCHES_EACH = 4, /* room for touches, per step */
    FINDINGS_MAX = 256,
    SAMPLES_MAX = 16,             /* executions kept for the new classes that they showed */
    SITES_MAX = 8192,             /* promoted sites */
    STEPS_LIMIT = 1 << STEP_BITS, /* largest --steps */
    STATE_MAX = 4096,             /* largest state_size of a strategy */
    FLIGHT_MAX = FINDINGS_MAX,    /* findings of one execution */
    FLIGHT_SITES_MAX = 64,
    CLASS_LEVELS_MAX = 12,
    PLACES_MAX = 1 << 20,
    LEAKS_MAX = 16,
    BLOCKED_MAX = 8, /* blocked child processes kept per execution */
};

/* Marks a site that is the start function of threads which can be told apart (--symmetry), and no
 * place in the code. */
#define SITE_OF_THREADS (1ul << 63)

/* A child process that ended because it would have blocked forever on a lock that another thread of
 * its parent held at the fork. The child writes this. */
struct blocked_child {
    uint64_t address, site; /* address of the lock; where the child locks it */
    uint64_t lock_site;     /* where the holder took the lock; 0: unknown */
    /* steps of the execution in which the holder locked and the parent forked */
    uint32_t lock_step, fork_step;
    thread_id thread, holder; /* the thread that forked; the thread that held the lock */
    uint32_t use;             /* enum child_use (runtime/process/fork_locks.h) */
    uint32_t process;         /* the kernel's number of the child; written last */
    struct frames frames;     /* if options.detail */
};

struct layout { /* byte offsets from the start of the board */
    uint64_t size;
    /* start of the lasting part, up to the end: it changes only inside a journal transaction */
    uint64_t lasting;
    uint64_t decisions[2]; /* struct decision[steps_max]: the two schedules */
    uint64_t steps[2];     /* struct step[steps_max]: the trace in flight and the one before */
    /* struct touch[TOUCHES_EACH * steps_max]: touches of the two traces, if asked for */
    uint64_t touches[2];
    uint64_t replay; /* struct decision[steps_max]: the schedule to replay, with every step */
    /* struct taken[FINDINGS_MAX][steps_max]: the steps of each finding's execution. Then, if
     * options.samples, struct taken[SAMPLES_MAX][steps_max]: those of executions that showed new
     * classes. */
    uint64_t saved;
    uint64_t frames;                /* struct frames[steps_max], if options.detail */
    uint64_t values;                /* struct step_value[steps_max], if options.detail */
    uint64_t memo;                  /* struct memo, if options.remember */
    uint64_t inbox, outbox;         /* box_bytes(steps_max) each */
    uint64_t unused, unused_size;   /* memory that nothing writes to: see board.unused */
    uint64_t classes, classes_size; /* the class table */
    uint64_t arena, arena_size;     /* the strategy's memory */
};

struct taken { /* a step of a finding's execution: what it takes to run it again and compare */
    uint8_t thread, kind;
    uint16_t choice;
    uint32_t object; /* numbered in the order of first use in that execution */
};

struct board_trace { /* struct trace without its pointers; steps are at layout.steps[which] */
    /* restarts and promoted sites when the execution began: they fix what was a step */
    uint64_t restarts, sites;
    uint64_t turns_skipped; /* whether a thread took no further step after a futile iteration */
    uint32_t count, outcome;
    int32_t status;
    uint32_t thread_count;
    uint64_t fingerprint, class[2];
    thread_set waiting, alive;
    struct op pending[THREADS_MAX];
    thread_id owner[THREADS_MAX];
    /* for each thread in `waiting`: which threads hold for reading what it waits for */
    thread_set readers[THREADS_MAX];
    struct frames pending_frames[THREADS_MAX]; /* if options.detail */
};

/* The board has two parts. The first holds what lasts. It changes only between executions, inside a
 * journal transaction, so that it can be guarded while the program runs (runtime/engine/guard.h).
 * The second, from `unused` on, holds what the execution in flight and the coordinator change at
 * any time.
 *
 * Nothing writes to `unused` and `unused_too`, so that they take no memory. Bytes there show that
 * the tested program stores where it should not (board_is_sound). */
struct board {
    uint64_t magic;
    uint32_t version, reserved;
    struct options options;
    struct shared shared;
    struct layout layout;
    struct tally tally;
    uint32_t planned; /* a schedule is in flight: run it (again) before planning another */
    uint32_t which;   /* 0 or 1: schedule and trace in flight */
    uint32_t opened;  /* the strategy's state is valid */
    struct {          /* struct schedule without its pointer */
        uint32_t count, check_step, check, reserved;
        uint64_t seed, hint;
    } schedule[2];
    uint32_t replay_count;
    struct finding findings[FINDINGS_MAX];
    uint32_t saved_count[FINDINGS_MAX + SAMPLES_MAX];
    /* the first entries of `sites` that were in force for each sample */
    uint32_t sample_sites[SAMPLES_MAX];
    struct frames finding_frames[FINDINGS_MAX][FINDING_PLACES_MAX]; /* if options.detail */
    uint64_t sites[SITES_MAX]; /* promoted sites: addresses in the program */
    struct coverage coverage;  /* growth of the last search; each of several workers has its own */
    uint32_t class_levels;     /* tables of the class table in use (core/class_table.h) */
    uint32_t class_counts[CLASS_LEVELS_MAX];
    char state[STATE_MAX] __attribute__((aligned(16)));
    struct journal journal;
    /* the second part of the board begins here */
    _Alignas(BOARD_PAGE) uint8_t unused[UNUSED_BYTES];
    struct control control;
    struct sharing sharing;
    uint32_t started; /* worker processes that came up */
    struct {          /* an execution that is run twice, to see whether it comes out the same */
        uint64_t due; /* number of executions after which the next one is run twice */
        /* the next process runs the execution again and compares it with the following fields */
        uint32_t pending;
        uint32_t count, outcome;
        uint64_t fingerprint;
        struct written written;
    } repeat;
    struct board_trace trace[2];
    /* other threads are run on after a failure: the execution in flight has ended */
    uint32_t aftermath;
    struct flight { /* what the execution in flight has shown so far */
        uint32_t finding_count, site_count;
        uint32_t enabled_max, points;
        uint32_t spun; /* the execution was given up to promote a site that spins on a plain read */
        uint32_t clock_seen; /* the program looks at the time, which was taken not to matter */
        /* bits by enum unreduced: what occurred whose orders a reduction does not fully know */
        uint32_t unreduced;
        uint32_t vain;  /* a futile iteration ended what its thread does */
        uint32_t waits; /* a thread waited on a condition variable */
        /* in this execution or an earlier one, no lock guards memory that is shared, which the
         * strategy assumes */
        uint32_t undisciplined;
        uint32_t overlap_seen; /* accesses overlap that were taken not to */
        uint32_t unpromoted;   /* a race was seen whose sites may not become scheduling points */
        uint32_t told_apart;   /* threads can be told apart that were taken for equal */
        /* a failure or a step that replaces another thread's operation, which were taken not to
         * occur */
        uint32_t failure_seen;
        uint32_t wide_seen;     /* code looks at the clock that was taken not to */
        uint32_t unkept;        /* there was no room for a finding */
        uint32_t passed;        /* errors that the execution went on past */
        uint32_t always_seen;   /* a bit for each error of options.always that the execution has */
        uint32_t accesses;      /* plain accesses in long steps, in millions */
        uint32_t left;          /* a thread was left where it computed (runtime/engine/busy.c) */
        uint32_t late;          /* that ended the execution, as the search was over */
        uint32_t looks;         /* comparisons of all memory, to see whether a state comes back */
        uint32_t blocked_count; /* child processes that would have blocked forever on a lock */
        struct shared_memory shared; /* memory shared with a process that the program started */
        struct finding findings[FLIGHT_MAX];
        uint64_t sites[FLIGHT_SITES_MAX]; /* racing sites, not yet promoted */
        struct frames frames[FLIGHT_MAX][FINDING_PLACES_MAX];
        struct blocked_child blocked[BLOCKED_MAX];
    } flight;
    uint32_t module_count;
    uint32_t
        modules_at_start;  /* those that the program did not load itself: equal in all workers */
    uint32_t object_count; /* objects[1..object_count] are known */
    struct module modules[MODULES_MAX];
    struct object objects[OBJECTS_MAX];
    uint32_t label_count; /* labels of the last detailed execution; later labels take precedence */
    struct label labels[LABELS_MAX];
    /* blocks that nothing pointed to at the end of the last detailed execution */
    uint32_t leak_count;
    uint32_t leaks[LEAKS_MAX]; /* object numbers of the first leaked blocks */
    /* if states are compared: how memory was accessed, a bit for each kind of access */
    uint8_t accessed[PLACES_MAX];
    uint8_t unused_too[UNUSED_TOO_BYTES];
};

/* Fills in the offsets for these options. */
void board_lay_out(struct layout *layout, const struct options *options);

static inline void *board_at(const struct board *board, uint64_t offset)
{
    return (char *)board + offset;
}

#endif
