/* The board: the memory that worker and coordinator share, and all they agree on.
 *
 * A memfd that the coordinator makes and passes by number in BOHR_BOARD. The worker maps it at
 * BOARD_ADDRESS, the coordinator anywhere: so nothing here is a pointer that both use. The fixed
 * part is struct board; arrays whose size depends on the options follow at the offsets in
 * board.layout. Who reads checks before believing: the tested program may have written here. */
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
#define BOARD_VARIABLE                                                                             \
    "BOHR_BOARD" /* number of the inherited descriptor; others lie below it, if … */
enum {
    FRESH_BELOW = 1,  /* … there is an image of files to put back, … */
    COMMON_BELOW = 2, /* … the search is shared, … */
    SPILL_BELOW = 3,  /* … memory is limited: the arena is in a file, … */
    LIVE_BELOW = 6,   /* … it is known what the program's code still reads (core/live.h) */
};

/* A page that several workers share: who finds something says how many executions all together had
 * run. Each writes to a line of its own. */
enum { WORKERS_MAX = 64 };
struct common {
    struct {
        uint64_t executions; /* as in its tally */
        uint64_t reserved[7];
    } workers[WORKERS_MAX];
};

/* A site that is the function of threads which can be told apart (--symmetry): no code lies
 * there. */
#define SITE_OF_THREADS (1ul << 63)

#define BOARD_ADDRESS 0x100000000000ul
#define BOARD_MAGIC   0x64726f622d726f62ul

enum {
    BOARD_VERSION = 17,
    BOARD_PAGE = 4096,
    UNUSED_BYTES = 1 << 20,
    UNUSED_TOO_BYTES = 1 << 22,
    TOUCHES_EACH = 4, /* room for so many touches, for each step */
    FINDINGS_MAX = 256,
    SAMPLES_MAX = 16, /* executions that are kept for the classes that they showed */
    MODULES_MAX = 256,
    SITES_MAX = 8192, /* promoted sites */
    OBJECTS_MAX = 1 << 16,
    BOUNDS_MAX = 64,
    FRAMES_MAX = 24,
    STEPS_LIMIT = 1 << STEP_BITS, /* largest --steps */
    STATE_MAX = 4096,             /* a strategy's state_size */
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
    BLOCKED_MAX = 8,     /* child processes that are kept in one execution */
    SUPPRESSED_MAX = 64, /* distinct findings that --suppressions matched */
    ALWAYS_MAX = 16,     /* errors that every execution has: a search goes on past so many */
    TRUST_NAMES_MAX = 1024,
    TRUST_RANGES_MAX = 64,
};

enum points { POINTS_SYNC, POINTS_RACE, POINTS_ALL };
enum races { RACES_OFF, RACES_WARN, RACES_ERROR };
enum isolate { ISOLATE_AUTO, ISOLATE_RESET, ISOLATE_FORK, ISOLATE_EXEC };
enum carrier { CARRIER_FIBERS, CARRIER_KERNEL };
/* The program takes part of itself out of the search (include/bohr.h), or the user does
 * (--trust). */
enum mark { MARK_ATOMIC = 1, MARK_IGNORE = 2, MARK_TRUST = 4, MARK_BENIGN = 8 };
enum { EXIT_ANY = -1 }; /* --expect-exit any: every exit status is right */
enum output { OUTPUT_ANY, OUTPUT_SAME, OUTPUT_EXPECTED }; /* as in the first execution; as given */
enum tracking { TRACKING_AUTO, TRACKING_USERFAULT, TRACKING_PROTECT };
/* Where executions begin that do not at the start: where it pays, or at each step in turn. */
enum checkpoints { CHECKPOINTS_NONE, CHECKPOINTS_AUTO, CHECKPOINTS_FORCED };

struct trust {                       /* code whose operations are no scheduling points */
    char names[TRUST_NAMES_MAX];     /* as given, separated by commas */
    char libraries[TRUST_NAMES_MAX]; /* those that name no function of the program, each ended by
                                        one */
    uint32_t range_count, reserved;
    struct {
        uint64_t start, end; /* of functions, from the program's base */
    } ranges[TRUST_RANGES_MAX];
};

enum always { ALWAYS_IS_PASSED, ALWAYS_STOPS }; /* an error that every execution has */

enum replay_end {
    REPLAY_ENDS_ITSELF,
    REPLAY_IN_LIVELOCK, /* in a loop out of which nothing leads */
    REPLAY_IS_CUT,      /* at the limit of steps, or before, where that was found out */
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
    uint8_t tracking;   /* enum tracking: how reset sees the first write to a page */
    uint8_t exit_waits; /* --exit wait */
    uint8_t keep_going;
    uint8_t replay;       /* run only the schedule in board.replay, in full detail */
    uint8_t debugged;     /* … under a debugger, in this process */
    uint8_t replay_end;   /* … enum replay_end: how it ends */
    uint8_t detail;       /* record stacks for every step */
    uint8_t has_input;    /* standard input is not empty: rewind it for each execution */
    uint8_t checkpoint;   /* enum checkpoints */
    uint8_t instrumented; /* filled in by the worker: __tsan_init was called by the program */
    uint8_t marks;        /* filled in by the worker: enum mark, what the program told us */
    uint8_t cache;        /* --cache */
    uint8_t target_first; /* stop when the target shows */
    uint8_t target_kind; /* 1 + the kind of the findings that are the target, whatever their key; 0:
                            by key */
    uint8_t target_adjacent; /* a race shows only where one access follows right after the other */
    uint8_t points_fixed;    /* racing sites do not become scheduling points */
    uint8_t reduction;       /* enum reduction: --reduction */
    uint8_t symmetry;        /* --symmetry */
    uint8_t remember;        /* --remember: there is a memo */
    uint8_t plain_loops; /* of a strategy that compares states: nobody waits or gives way for having
                            gone round */
    uint8_t state_fault; /* --fault state-PART: that part of a state is not looked at; 0: all are */
    uint8_t samples;     /* --corpus: keep executions that showed new classes */
    uint8_t lockset_warns;  /* lockset is looked for because the strategy needs to know, not because
                               of --detect */
    uint8_t fault;          /* --fault: this kind of operation is broken on purpose; 0: none is */
    uint8_t fault_column;   /* enum op_fault: what of it is */
    uint32_t verify_every;  /* compare all memory after every so many resets; 0: never */
    int32_t expect_exit;    /* the exit status that is right, or EXIT_ANY */
    uint32_t threads_ready; /* size of the pool of threads */
    uint32_t detect;        /* --detect: a set of detectors (detector/detector.h) */
    uint64_t stack_size;    /* of each of them */
    uint8_t spurious;       /* --spurious: wake-ups without a signal that an execution may have */
    uint8_t wipes;          /* local states are compared: what we leave on stacks is wiped */
    uint64_t memory_max;    /* bytes of what is still to be run that stay in memory; 0: all */
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
    uint32_t pass;        /* of a replay: so many errors do not end it, the next one does */
    struct written expect_output;
    char output_path[OUTPUT_PATH_MAX]; /* the file that it writes; empty: standard output */
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

enum worker_status {
    WORKER_NONE, /* has not come up */
    WORKER_SEARCHING,
    WORKER_DONE,  /* the search ended; tally and progress say how */
    WORKER_AGAIN, /* start another process and go on (exec isolation) */
    WORKER_GROW,  /* start another one, with options.threads_ready, stack_size or wipes as set here
                   */
    WORKER_FALLBACK, /* reset cannot undo what the program does (reason): go on with fork */
    WORKER_REFUSED,  /* the program did something that we do not model (reason, reason_site) */
    WORKER_BROKEN,   /* the machine failed us (reason) */
    WORKER_STATUSES
};

enum order { /* after the execution in flight */
             ORDER_GO_ON,
             ORDER_REST, /* wait for the bell */
             ORDER_LEAVE,
};

struct control {
    uint32_t order;   /* enum order, by the coordinator */
    uint32_t status;  /* enum worker_status */
    uint32_t child;   /* process of the execution in flight under fork isolation; 0: none */
    uint32_t poison;  /* by the coordinator: the execution in flight killed its process twice;
                         take it as a finding: a signal number, or POISON_HANG */
    uint64_t granted; /* by the coordinator: executions that this worker may run, cut ones too */
    uint64_t reason_site; /* where the refused call was made */
    uint32_t tracking;    /* enum tracking in use; 0 unless isolation is reset */
    uint32_t checkpoints; /* taken so far */
    uint32_t
        full; /* there is no space left for what is still to be run: to be told to the strategy */
    uint32_t full_again; /* … how often in a row, … */
    uint64_t full_at;    /* … at this execution */
    uint32_t beats;      /* counted up while the runtime itself waits: that is no hang */
    uint32_t processes;  /* the program has started some: they may outlive the worker */
    uint64_t verified;   /* resets whose memory was compared byte by byte */
    char reason[REASON_MAX];
};
enum { POISON_HANG = 1000 };

/* How several workers share one search. Each has a board of its own; the coordinator takes parcels
 * from one and brings them to another. A worker that has nothing to do rests until the bell is
 * rung. */
struct sharing {        /* by the coordinator, but for `rests` */
    uint32_t shared;    /* 0: this worker searches alone */
    uint32_t number;    /* of this worker, from 0 */
    uint32_t bell;      /* a futex; rung by counting up */
    uint32_t rests;     /* by the worker: nothing is left to do since this ring; all is sealed */
    uint32_t search;    /* the search to take part in: 1, and one more for each restart */
    int32_t bound;      /* … and its bound */
    uint32_t asked;     /* a parcel with this number is wanted, … */
    uint32_t news;      /* … of a reduction: without anything to do */
    uint32_t delivered; /* the parcel with this number is in the inbox, … */
    uint32_t size;      /* … of so many bytes */
};

struct shared { /* what a worker has done about it; changed only inside a journal transaction */
    uint32_t search, adopted; /* the search it is in; the last parcel it took in */
    uint32_t given, size;     /* the parcel in the outbox */
};

struct tally {           /* changed only inside a journal transaction */
    uint64_t executions; /* complete ones, over all restarts */
    uint64_t steps;
    uint64_t looks;     /* of loops that may never end, at all of memory */
    uint64_t first_bug; /* executions up to the first error that is not a race; 0: none */
    uint64_t buggy;     /* of the last search */
    uint32_t always_shown[ALWAYS_MAX]; /* executions with each error of options.always */
    uint32_t
        always_missed; /* one bit for each of them: an execution without any error is without */
    uint32_t reserved_always;
    uint64_t cut, cut_by_steps, cut_by_cycles;
    uint64_t restarts;
    uint64_t classes; /* distinct ones of the last search; CLASSES_UNKNOWN once the table is full */
    uint64_t classes_reduced; /* … those of its part that reduces, if only a part does */
    uint64_t fingerprint_sum; /* of the traces of the last search */
    uint64_t class_sum;       /* … of its classes, each once: equal for equal sets */
    uint32_t threads, max_enabled, max_points, max_steps;
    uint32_t bounds; /* rows of per_bound in use */
    uint32_t finding_count;
    uint32_t findings_dropped; /* distinct ones that found no room */
    uint32_t target_shown;     /* in an execution so far; the simplest of them is in … */
    uint32_t target_slot;      /* … findings[target_slot]; the other of 0 and 1 is for the next */
    uint32_t races_unpromoted; /* racing sites are no scheduling points: no room, or not wanted; the
                                  claim falls */
    uint32_t unreduced;        /* bits by enum unreduced: what a reduction met */
    uint32_t vain;          /* turns of loops in vain ended what their threads did in a reduction */
    uint32_t waits;         /* a thread waited on a condition variable, in any search so far */
    uint32_t undisciplined; /* memory is shared without a lock, whereas the strategy takes that not
                               to be so */
    struct shared_memory shared; /* with a process that is not controlled */
    uint32_t clock_matters; /* the program sees the time: what moves the clock depends on all */
    uint32_t fails;      /* of a reduction that is shared: executions fail, or threads are struck */
    uint32_t site_count; /* promoted sites in use */
    int32_t first_status;     /* exit status of the first execution that finished */
    uint32_t statuses_differ; /* … and another finished with another one */
    uint32_t output_known;    /* an execution has finished: first_output is what it wrote */
    struct written first_output;
    uint32_t ended;     /* plan said that nothing is left */
    int32_t bound;      /* being searched */
    uint32_t sampled;   /* the execution in flight is none of this bound's */
    int32_t bound_done; /* last bound that is finished, NO_BOUND: none */
    uint32_t complete;  /* nothing left within the bound asked for */
    uint32_t over;      /* … nor anywhere else, whatever other workers have still to do */
    uint32_t claim;     /* enum claim_kind of the strategy */
    uint64_t pending;
    uint64_t kept_bytes; /* memory of what is still to be run */
    uint64_t spilled;    /* most of it that was beyond memory_max */
    uint64_t lost;       /* executions for which there was no space left in that file */
    uint64_t tree_bytes; /* of the last search: see struct progress */
    uint64_t singletons; /* classes of the last search that were seen once */
    uint64_t classified; /* executions of the last search whose class was looked up */
    struct states_count states;
    struct estimate estimate;
    struct guarantee guarantee;
    uint64_t sum; /* of counts and claim: tally_sum (core/sum.h) */
    struct bound_row {
        int32_t bound;
        uint32_t reserved;
        uint64_t executions, classes; /* new at this bound */
    } per_bound[BOUNDS_MAX];
};
_Static_assert(SPURIOUS_OBJECT == OBJECTS_MAX - 1, "the last number is taken");
#define CLASSES_UNKNOWN (~0ul)

/* What was done, in steps: see struct options, work_max. */
static inline uint64_t tally_work(const struct tally *tally, uint64_t each)
{
    enum { WORK_OF_LOOK = 64 };
    return tally->steps + tally->looks * WORK_OF_LOOK + (tally->executions + tally->cut) * each;
}

struct module {          /* what the loader mapped, for names and source lines */
    uint64_t base;       /* load bias */
    uint64_t start, end; /* addresses covered */
    uint64_t watched;    /* the program, or a library of its own */
    char path[MODULE_PATH_MAX];
};

enum object_place { OBJECT_UNKNOWN, OBJECT_STATIC, OBJECT_HEAP, OBJECT_STACK, OBJECT_THREAD };

struct object { /* what an object number means; filled in as objects are first seen */
    uint64_t address;
    uint8_t place;                   /* enum object_place; set at the end of a detailed execution */
    uint8_t overlaps : 1, freed : 1; /* with others; a step has freed the block that begins here */
    uint8_t bytes : 6;    /* of the largest access that was a step; 63: so many or more */
    thread_id thread;     /* HEAP: who allocated it; STACK: whose; THREAD: itself */
    uint32_t number;      /* HEAP: the how-manieth allocation of that thread, from 1 */
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
    uint64_t pc[FRAMES_MAX]; /* innermost first: return addresses, but [0] of a crash is the pc */
    struct frame_range {
        uint64_t low,
            high;      /* the stack pointer there, and the frame's canonical address; 0: unknown */
        uint64_t base; /* the register that often points into the frame (rbp) */
    } range[FRAMES_MAX];
};

/* A child process that ended because it would have blocked forever, on a lock that another thread
 * of its parent held when it was forked. Written by the child. */
struct blocked_child {
    uint64_t address, site;        /* of the lock; where the child locks it */
    uint64_t lock_site;            /* where the holder took it; 0: unknown */
    uint32_t lock_step, fork_step; /* of the execution */
    thread_id thread, holder;      /* the one that forked; the one that held the lock */
    uint32_t use;                  /* enum child_use (runtime/model/fork_locks.h) */
    uint32_t process;              /* the kernel's number of the child; written last */
    struct frames frames;          /* if options.detail */
};

/* What the object of a memory access held, as a number. */
enum value_known { VALUE_BEFORE = 1, VALUE_AFTER = 2 };
struct step_value {
    uint64_t before, after; /* the step, with all of the thread's code up to its next one */
    uint8_t size;           /* bytes, up to 8; 0: the step accesses no memory */
    uint8_t known;          /* enum value_known */
};

struct layout { /* byte offsets from the start of the board */
    uint64_t size;
    uint64_t lasting; /* from here to the end: what changes only inside a journal transaction */
    uint64_t decisions[2]; /* struct decision[steps_max]: the two schedules */
    uint64_t steps[2];     /* struct step[steps_max]: the trace in flight and the one before */
    uint64_t touches[2];   /* struct touch[TOUCHES_EACH * steps_max]: what they touch, if asked */
    uint64_t replay; /* struct decision[steps_max]: the schedule to replay, every step listed */
    uint64_t
        saved; /* struct taken[FINDINGS_MAX][steps_max]: what each finding's execution did; then
                  [SAMPLES_MAX][steps_max], if options.samples: those that showed new classes */
    uint64_t frames;                /* struct frames[steps_max], if options.detail */
    uint64_t values;                /* struct step_value[steps_max], if options.detail */
    uint64_t memo;                  /* struct memo, if options.remember */
    uint64_t inbox, outbox;         /* PARCEL_BYTES_MAX each */
    uint64_t unused, unused_size;   /* nobody writes there */
    uint64_t classes, classes_size; /* the class table */
    uint64_t arena, arena_size;     /* the strategy's memory */
};

struct taken { /* a step of a finding's execution, as far as it takes to run it again and compare */
    uint8_t thread, kind;
    uint16_t choice;
    uint32_t object; /* in the order of first use in that execution */
};

struct board_trace { /* struct trace without its pointer; steps are at layout.steps[which] */
    uint64_t restarts, sites; /* of the search so far: what was a step then */
    uint64_t turns_skipped;   /* whether who went round in vain took no further step */
    uint32_t count, outcome;
    int32_t status;
    uint32_t thread_count;
    uint64_t fingerprint, class[2];
    thread_set waiting, alive;
    struct op pending[THREADS_MAX];
    thread_id owner[THREADS_MAX];
    thread_set readers[THREADS_MAX];           /* who has what each of those waits for to read */
    struct frames pending_frames[THREADS_MAX]; /* if options.detail */
};

/* Two parts. The first holds what lasts: it changes only between executions, inside a journal
 * transaction, so that it can be guarded while the program runs (runtime/guard.h). The second,
 * from `unused` on, holds what the execution in flight and the coordinator change at any time. */
struct board {
    uint64_t magic;
    uint32_t version, reserved;
    struct options options;
    struct shared shared;
    struct layout layout;
    struct tally tally;
    uint32_t planned; /* a schedule is in flight: run it (again) before planning another */
    uint32_t which;   /* schedule and trace in flight: 0 or 1 */
    uint32_t opened;  /* the strategy's state is valid */
    struct {          /* struct schedule without its pointer */
        uint32_t count, check_step, check, reserved;
        uint64_t seed, hint;
    } schedule[2];
    uint32_t replay_count;
    struct finding findings[FINDINGS_MAX];
    uint32_t saved_count[FINDINGS_MAX + SAMPLES_MAX];
    uint32_t sample_sites[SAMPLES_MAX]; /* promoted sites in force: the first so many */
    struct frames finding_frames[FINDINGS_MAX][FINDING_PLACES_MAX]; /* if options.detail */
    uint64_t sites[SITES_MAX]; /* promoted sites: addresses in the program */
    struct coverage coverage;  /* of the last search; of several workers each has its own */
    uint32_t class_levels;     /* tables of the class table in use (core/classes.h) */
    uint32_t class_counts[CLASS_LEVELS_MAX];
    char state[STATE_MAX] __attribute__((aligned(16)));
    struct journal journal;
    _Alignas(BOARD_PAGE) uint8_t unused[UNUSED_BYTES]; /* the second part begins: see below */
    struct control control;
    struct sharing sharing;
    uint32_t started; /* workers that came up */
    struct { /* the execution in flight is run twice, to see whether it comes out the same */
        uint64_t due;     /* … when so many were run */
        uint32_t pending; /* … in the next process, which compares it with: */
        uint32_t count, outcome;
        uint64_t fingerprint;
        struct written written;
    } repeat;
    struct board_trace trace[2];
    uint32_t aftermath; /* threads run on behind a failure: the execution in flight has ended */
    struct flight {     /* what the execution in flight has shown so far */
        uint32_t finding_count, site_count;
        uint32_t enabled_max, points;
        uint32_t spun;       /* it was given up to promote a site that spins on a plain read */
        uint32_t clock_seen; /* the program sees the time, whereas that was taken not to matter */
        uint32_t unreduced; /* bits by enum unreduced: whose orders a reduction does not all know */
        uint32_t vain;      /* a turn of a loop in vain ended what its thread does */
        uint32_t waits;     /* a thread waited on a condition variable */
        uint32_t undisciplined; /* … it or one before: no lock guards what is shared, as the
                                   strategy takes for granted */
        uint32_t overlap_seen;  /* accesses overlap that were taken not to */
        uint32_t unpromoted;    /* a race whose sites may not become scheduling points */
        uint32_t told_apart;    /* threads that were taken for the same */
        uint32_t failure_seen; /* a failure, or a thread that is struck, whereas there were taken to
                                  be none */
        uint32_t wide_seen;    /* code that looks at the clock, where it was taken not to */
        uint32_t unkept;       /* a finding found no room */
        uint32_t passed;       /* errors that it went on past */
        uint32_t always_seen;  /* one bit for each error of options.always that it has */
        uint32_t looks;        /* at all of memory, to see whether it comes back */
        uint32_t blocked_count;      /* child processes that would have blocked forever on a lock */
        struct shared_memory shared; /* with a process that it started */
        struct finding findings[FLIGHT_MAX];
        uint64_t sites[FLIGHT_SITES_MAX]; /* racing, not yet promoted */
        struct frames frames[FLIGHT_MAX][FINDING_PLACES_MAX];
        struct blocked_child blocked[BLOCKED_MAX];
    } flight;
    uint32_t module_count;
    uint32_t object_count; /* objects[1..object_count] are known */
    struct module modules[MODULES_MAX];
    struct object objects[OBJECTS_MAX];
    uint32_t label_count; /* of the last detailed execution; later ones come first */
    struct label labels[LABELS_MAX];
    uint32_t leak_count; /* blocks that nothing pointed to at the end of that execution: … */
    uint32_t leaks[LEAKS_MAX];    /* … the first of them, as objects */
    uint8_t accessed[PLACES_MAX]; /* where states are compared: how memory was accessed, a bit for
                                     each kind */
    uint8_t unused_too[UNUSED_TOO_BYTES];
};
/* Nobody writes to what is unused, so that it takes no memory. Bytes there show that the tested
 * program stores where it should not (board_is_sound). */

/* Fills in the offsets for these options. */
void board_lay_out(struct layout *layout, const struct options *options);

static inline void *board_at(const struct board *board, uint64_t offset)
{
    return (char *)board + offset;
}

#endif
