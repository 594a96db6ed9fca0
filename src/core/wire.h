/* The board: the memory that worker and coordinator share, and all that they agree on.
 *
 * The coordinator makes a memfd and passes its number in BOHR_BOARD. The worker maps it at
 * BOARD_ADDRESS, the coordinator anywhere, so nothing here is a pointer that both use. The fixed
 * part is struct board. Arrays whose size depends on the options follow at the offsets in
 * board.layout.
 *
 * The tested program may have written here: whatever reads the board checks before it believes. */
#ifndef CORE_WIRE_H
#define CORE_WIRE_H

#include "core/claim.h"
#include "core/coverage.h"
#include "core/estimate.h"
#include "core/finding.h"
#include "core/hierarchy.h"
#include "core/journal.h"
#include "core/memo.h"
#include "core/schedule.h"
#include "core/states.h"
#include "core/subtree.h"
#include "core/trace.h"
#include "core/written.h"

#define BOHR_VERSION "0.1.0"
/* Environment variable with the number of the board's descriptor, which the worker inherits. Other
 * descriptors lie below it, see FRESH_BELOW. */
#define BOARD_VARIABLE "BOHR_BOARD"

enum {
    FRESH_BELOW = 1,  /* the image of files to put back, if there is one */
    COMMON_BELOW = 2, /* the page that all workers share, if the search is shared */
    SPILL_BELOW = 3,  /* the file of the arena, if memory is limited */
    LIVE_BELOW = 6,   /* the table of what the program's code still reads (core/live.h), if made */
};

/* A page that all workers share, so that a finding gets its number among the executions of all of
 * them. Each worker writes to a cache line of its own. */
enum { WORKERS_MAX = 64 };
struct common {
    struct {
        uint64_t executions; /* as in the worker's tally */
        uint64_t reserved[7];
    } workers[WORKERS_MAX];
};

/* Marks a site that is the start function of threads which can be told apart (--symmetry), and no
 * place in the code. */
#define SITE_OF_THREADS (1ul << 63)

#define BOARD_ADDRESS 0x100000000000ul
#define BOARD_MAGIC   0x64726f622d726f62ul

enum {
    BOARD_VERSION = 17,
    BOARD_PAGE = 4096,
    UNUSED_BYTES = 1 << 20,
    UNUSED_TOO_BYTES = 1 << 22,
    TOUCHES_EACH = 4, /* room for touches, per step */
    FINDINGS_MAX = 256,
    SAMPLES_MAX = 16, /* executions kept for the new classes that they showed */
    MODULES_MAX = 256,
    SITES_MAX = 8192, /* promoted sites */
    OBJECTS_MAX = 1 << 16,
    BOUNDS_MAX = 64,
    FRAMES_MAX = 24,
    STEPS_LIMIT = 1 << STEP_BITS, /* largest --steps */
    STATE_MAX = 4096,             /* largest state_size of a strategy */
    FLIGHT_MAX = FINDINGS_MAX,    /* findings of one execution */
    FLIGHT_SITES_MAX = 64,
    CLASS_LEVELS_MAX = 12,
    PLACES_MAX = 1 << 20,
    MODULE_PATH_MAX = 400,
    LABELS_MAX = 4096,
    LEAKS_MAX = 16,
    LABEL_TEXT_MAX = 48,
    REASON_MAX = 512,
    OUTPUT_PATH_MAX = 1024,
    SPURIOUS_MAX = 100,  /* largest --spurious */
    BLOCKED_MAX = 8,     /* blocked child processes kept per execution */
    SUPPRESSED_MAX = 64, /* distinct findings that --suppressions matched */
    ALWAYS_MAX = 16,     /* errors of every execution that a search goes on past, at most */
    TRUST_NAMES_MAX = 1024,
    TRUST_RANGES_MAX = 64,
};

enum points { POINTS_SYNC, POINTS_RACE, POINTS_ALL };
enum races { RACES_OFF, RACES_WARN, RACES_ERROR };
enum isolate { ISOLATE_AUTO, ISOLATE_RESET, ISOLATE_FORK, ISOLATE_EXEC };
enum carrier { CARRIER_FIBERS, CARRIER_KERNEL };
/* Marks that take part of the program out of the search: the program's own (include/bohr.h) or the
 * user's (--trust). */
enum mark { MARK_ATOMIC = 1, MARK_IGNORE = 2, MARK_TRUST = 4, MARK_BENIGN = 8 };
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

struct options { /* written by the coordinator before the first worker starts */
    char strategy[32];
    uint64_t seed;
    uint64_t executions_max; /* 0: no limit */
    int32_t bound;           /* NO_BOUND: none */
    uint32_t steps_max;
    uint8_t points;     /* enum points */
    uint8_t races;      /* enum races */
    uint8_t isolate;    /* enum isolate */
    uint8_t carrier;    /* enum carrier */
    uint8_t tracking;   /* enum tracking: how reset notices the first write to a page */
    uint8_t exit_waits; /* --exit wait */
    uint8_t keep_going;
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

enum worker_status {
    WORKER_NONE, /* the worker has not come up */
    WORKER_SEARCHING,
    WORKER_DONE,  /* the search ended; tally and progress say how */
    WORKER_AGAIN, /* start another process and go on (exec isolation) */
    /* start another process with options.threads_ready, stack_size or wipes as set here */
    WORKER_GROW,
    WORKER_FALLBACK, /* reset cannot undo what the program does (reason): go on with fork */
    WORKER_REFUSED,  /* the program did something that is not modelled (reason, reason_site) */
    WORKER_BROKEN,   /* internal error (reason) */
    WORKER_STATUSES
};

enum order { /* what the worker does after the execution in flight */
             ORDER_GO_ON,
             ORDER_REST, /* wait for the bell */
             ORDER_LEAVE,
};

struct control {
    uint32_t order;  /* enum order, written by the coordinator */
    uint32_t status; /* enum worker_status */
    uint32_t child;  /* process of the execution in flight under fork isolation; 0: none */
    /* Written by the coordinator when the execution in flight has killed its process twice: the
     * worker takes that as a finding. A signal number, or POISON_HANG. */
    uint32_t poison;
    /* written by the coordinator: executions that this worker may run, including those that are
     * cut */
    uint64_t granted;
    uint64_t reason_site; /* where the refused call was made */
    uint32_t tracking;    /* enum tracking in use; 0 unless isolation is reset */
    uint32_t checkpoints; /* checkpoints taken so far */
    uint32_t full; /* no space is left for pending work, and the strategy has not been told yet */
    uint32_t full_again; /* how often in a row the space ran out in the execution `full_at` */
    uint64_t full_at;    /* number of the execution in which the space ran out last */
    /* counted up while the runtime itself waits, so that this is not taken for a hang */
    uint32_t beats;
    uint32_t processes; /* the program has started processes: they may outlive the worker */
    uint64_t verified;  /* resets after which memory was compared byte by byte */
    char reason[REASON_MAX];
};
enum { POISON_HANG = 1000 };

/* How several workers share one search. Each worker has a board of its own. The coordinator takes
 * parcels from one board and brings them to another. A worker that has nothing to do rests until
 * the bell rings. */
struct sharing {     /* written by the coordinator, except `rests` */
    uint32_t shared; /* 0: this worker searches alone */
    uint32_t number; /* number of this worker, from 0 */
    uint32_t bell;   /* a futex; it rings by counting up */
    /* written by the worker: nothing has been left to do since this ring; all is sealed */
    uint32_t rests;
    uint32_t search;    /* number of the search to take part in: 1, and one more for each restart */
    int32_t bound;      /* bound of the search to take part in */
    uint32_t asked;     /* the parcel with this number is wanted */
    uint32_t news;      /* of a reduction: the wanted parcel brings news only, no pending work */
    uint32_t delivered; /* the parcel with this number is in the inbox */
    uint32_t size;      /* bytes of the parcel in the inbox */
};

/* what this worker has done for struct sharing; changed only inside a journal transaction */
struct shared {
    /* the search that the worker takes part in; the last parcel that it took in */
    uint32_t search, adopted;
    uint32_t given, size; /* number and bytes of the parcel in the outbox */
};

struct tally {           /* the counts; changed only inside a journal transaction */
    uint64_t executions; /* complete executions, over all restarts */
    uint64_t steps;
    uint64_t looks;     /* comparisons of all memory, for loops that may never end */
    uint64_t first_bug; /* executions up to the first error that is not a race; 0: none */
    uint64_t buggy;     /* executions of the last search that showed an error */
    uint32_t always_shown[ALWAYS_MAX]; /* executions with each error of options.always */
    /* a bit for each error of options.always that some execution without any error did not have */
    uint32_t always_missed;
    uint32_t reserved_always;
    uint64_t cut, cut_by_steps, cut_by_cycles;
    uint64_t restarts;
    /* distinct classes of the last search; CLASSES_UNKNOWN once the table is full */
    uint64_t classes;
    /* classes of the part of the last search that reduces, if only a part does */
    uint64_t classes_reduced;
    uint64_t fingerprint_sum; /* sum over the traces of the last search */
    uint64_t class_sum; /* sum over the distinct classes of the last search: equal for equal sets */
    uint32_t threads, max_enabled, max_points, max_steps;
    uint32_t bounds; /* rows of per_bound in use */
    uint32_t finding_count;
    uint32_t findings_dropped; /* distinct findings for which there was no room */
    /* an execution has shown the target: findings[target_slot] is the simplest so far */
    uint32_t target_shown;
    /* 0 or 1: slot of the simplest target; the other slot is for the next one */
    uint32_t target_slot;
    /* racing sites are no scheduling points, for want of room or on request: the claim falls */
    uint32_t races_unpromoted;
    /* bits by enum unreduced: what occurred whose orders the reduction does not fully know */
    uint32_t unreduced;
    uint32_t vain;  /* in a reduction, futile iterations ended what their threads did */
    uint32_t waits; /* a thread waited on a condition variable, in any search so far */
    /* memory is shared without a lock, which the strategy assumes not to happen */
    uint32_t undisciplined;
    struct shared_memory shared; /* memory shared with a process that is not controlled */
    /* the program looks at the time: steps that move the clock depend on all others */
    uint32_t clock_matters;
    /* of a reduction with several workers: executions fail, or steps replace other threads'
     * operations */
    uint32_t fails;
    uint32_t site_count;      /* promoted sites in use */
    int32_t first_status;     /* exit status of the first execution that finished */
    uint32_t statuses_differ; /* a later execution finished with another exit status */
    uint32_t output_known;    /* an execution has finished: first_output is what it wrote */
    struct written first_output;
    uint32_t ended;     /* plan() said that nothing is left */
    int32_t bound;      /* the bound being searched */
    uint32_t sampled;   /* the execution in flight does not belong to this bound's search */
    int32_t bound_done; /* last bound that was completed; NO_BOUND: none */
    uint32_t complete;  /* nothing is left within the bound asked for */
    uint32_t over;      /* nothing is left at all, whatever other workers still have to do */
    uint32_t claim;     /* enum claim_kind of the strategy */
    uint64_t pending;
    uint64_t kept_bytes; /* memory of the pending work */
    uint64_t spilled;    /* most bytes of pending work beyond memory_max */
    uint64_t lost;       /* executions for which the file had no space */
    uint64_t tree_bytes; /* most memory of pending sequences in the last search (struct progress) */
    uint64_t singletons; /* classes of the last search that were seen once */
    uint64_t classified; /* executions of the last search whose class was looked up */
    struct states_count states;
    struct estimate estimate;
    struct guarantee guarantee;
    uint64_t sum; /* tally_sum() of counts and claim (core/sum.h) */
    struct bound_row {
        int32_t bound;
        uint32_t reserved;
        uint64_t executions, classes; /* new at this bound */
    } per_bound[BOUNDS_MAX];
};
_Static_assert(SPURIOUS_OBJECT == OBJECTS_MAX - 1, "the last number is taken");
#define CLASSES_UNKNOWN (~0ul)

/* Work done, in steps: what options.work_max limits. */
static inline uint64_t tally_work(const struct tally *tally, uint64_t each)
{
    enum { WORK_OF_LOOK = 64 };
    return tally->steps + tally->looks * WORK_OF_LOOK + (tally->executions + tally->cut) * each;
}

struct module {          /* what the loader mapped, for names and source lines */
    uint64_t base;       /* load bias */
    uint64_t start, end; /* addresses covered */
    uint64_t watched;    /* the module is the program, or a library of its own */
    char path[MODULE_PATH_MAX];
};

enum object_place { OBJECT_UNKNOWN, OBJECT_STATIC, OBJECT_HEAP, OBJECT_STACK, OBJECT_THREAD };

struct object { /* what an object number means; filled in as objects are first used */
    uint64_t address;
    uint8_t place; /* enum object_place; set at the end of a detailed execution */
    /* overlaps: other objects overlap this one; freed: a step freed the block that begins here */
    uint8_t overlaps : 1, freed : 1;
    uint8_t bytes : 6; /* of the largest access that was a step; 63: at least 63 */
    /* HEAP: the thread that allocated it; STACK: the stack's thread; THREAD: the thread itself */
    thread_id thread;
    uint32_t number;      /* HEAP: the allocation's number among those of its thread, from 1 */
    uint64_t start, size; /* HEAP: the block */
    uint64_t site;        /* HEAP: where it was allocated */
};

struct label { /* a name that the program gave to an object of its own */
    uint64_t start, size;
    char text[LABEL_TEXT_MAX];
};

struct frames {
    uint32_t count;
    uint32_t reserved;
    uint64_t pc[FRAMES_MAX]; /* innermost first: return addresses, but [0] of a crash is its pc */
    struct frame_range {
        uint64_t low,
            /* low: the stack pointer in the frame; high: the frame's canonical address; 0:
             * unknown */
            high;
        uint64_t base; /* the register that often points into the frame (rbp) */
    } range[FRAMES_MAX];
};

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

/* The value of the object of a memory access before and after the step, as a number. */
enum value_known { VALUE_BEFORE = 1, VALUE_AFTER = 2 };
struct step_value {
    uint64_t before, after; /* around the step and all of the thread's code up to its next step */
    uint8_t size;           /* bytes, up to 8; 0: the step accesses no memory */
    uint8_t known;          /* enum value_known */
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
    uint64_t inbox, outbox;         /* PARCEL_BYTES_MAX each */
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
    uint32_t class_levels;     /* tables of the class table in use (core/classes.h) */
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
        uint32_t looks;         /* comparisons of all memory, to see whether a state comes back */
        uint32_t blocked_count; /* child processes that would have blocked forever on a lock */
        struct shared_memory shared; /* memory shared with a process that the program started */
        struct finding findings[FLIGHT_MAX];
        uint64_t sites[FLIGHT_SITES_MAX]; /* racing sites, not yet promoted */
        struct frames frames[FLIGHT_MAX][FINDING_PLACES_MAX];
        struct blocked_child blocked[BLOCKED_MAX];
    } flight;
    uint32_t module_count;
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
