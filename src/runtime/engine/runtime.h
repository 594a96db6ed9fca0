/* The state of the runtime inside the tested process.
 *
 * `rt` outlives executions; `ex` is one execution and is what a checkpoint copies. Both lie at
 * fixed addresses outside of the program's memory, so putting the program back never touches them.
 * The trace in flight, findings and all that must survive the process are on the board. */
#ifndef RUNTIME_ENGINE_RUNTIME_H
#define RUNTIME_ENGINE_RUNTIME_H

#include <stddef.h>

#include "base/arena.h"
#include "core/board.h"
#include "core/live.h"
#include "detector/detector.h"
#include "detector/lock_order.h"
#include "detector/race.h"
#include "runtime/arch/x86_64/local.h"
#include "runtime/engine/plan.h"
#include "runtime/file/file_own.h"
#include "runtime/heap/heap_own.h"
#include "runtime/interpose/interpose_own.h"
#include "runtime/memory/memory_own.h"
#include "runtime/process/process_own.h"
#include "runtime/progress/progress_own.h"
#include "runtime/snapshot/snapshot_own.h"
#include "runtime/sync/sync_own.h"
#include "runtime/time/time_own.h"
#include "runtime/worker/worker_own.h"
#include "strategy/strategy.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define EXPORT      __attribute__((visibility("default")))
#define CALL_SITE   ((uintptr_t)__builtin_return_address(0))

enum thread_state { THREAD_UNUSED, THREAD_STARTING, THREAD_LIVE, THREAD_ENDED, THREAD_STATES };

/* Whether a thread's operation can be carried out: not before another thread ends; always, in one
 * way; in one way if its mutex is free; or if it can, when asked. */
enum readiness { ASLEEP, READY, LOCKING, ASKED, READINESSES };

enum { DESCRIPTORS_MAX = 1024 };

/* Threads that cannot be told apart (symmetry.h); 0: none. */
struct twins {
    thread_id elder, younger; /* created before and after it */
    thread_id created;        /* the child that its last step has made */
    thread_id joining;        /* the eldest of those that it has begun to join */
    uint32_t begun;           /* 1 + its first step; 0: it has taken none */
    bool held;                /* until its elder has begun */
    bool named;               /* somebody means this one in particular */
    bool result_wanted;       /* of the eldest: by the thread that joins them */
    struct local local;       /* its local state before its first operation */
    uint64_t value;           /* the value that this operation stores */
};

/* An operation as the words that make it up: stored whole, they can be loaded again at once. */
struct op_words {
    uint64_t head, second, site;
};
_Static_assert(sizeof(struct op_words) == sizeof(struct op), "the same memory");

struct thread {
    void *sp;      /* where to resume, while it does not run */
    uintptr_t fs;  /* its TLS */
    uint8_t state; /* enum thread_state */
    struct {
        bool requested;              /* behind the state: looked at in one */
        bool disabled, asynchronous; /* pthread_setcancelstate, pthread_setcanceltype */
        bool woken; /* it was cancelled while it waited for a signal on a condition variable */
    } cancel;
    bool signalled;    /* a waiter that may wake */
    bool timed;        /* a waiter that may wake without a signal, by a timeout */
    uint8_t yielding;  /* enum yielding: it waits for yields_to */
    bool vain;         /* after a futile iteration it takes no further step, see progress/vain.h */
    uint8_t readiness; /* enum readiness: in which set it is */
    struct op_words announced; /* its last operation, whatever has replaced it since */
    thread_id starter;         /* the thread that gets control back when it has started */
    thread_id parent;
    uint32_t go;      /* kernel carrier: futex */
    uint32_t carrier; /* the kernel's number of its thread; 0: of main, or not known */
    uint32_t children;
    uint64_t deadline; /* of its pending operation, if that is timed; otherwise out of date */
    struct thread_signals signals;
    thread_set yields_to;
    void *mutex, *cond;              /* of its pending operation */
    struct object_state *object;     /* the object that the pending operation names; NULL */
    uintptr_t stack_low, stack_size; /* without the TLS above */
    uint32_t atomic_depth;           /* bohr_atomic_begin; TRUSTED */
    uint32_t ignore_depth;           /* bohr_ignore_begin; WITNESSED */
    uintptr_t
        trusted_stack;   /* where the stack of the trusted function that it is in ends; 0: none */
    bool atomic_entered; /* the first operation of the atomic section was announced */
    uintptr_t base;      /* frame of its first function: unwinding ends here */
    struct thread_time time;
    struct thread_sync sync;
    struct thread_process process;
    struct thread_heap heap;
    struct thread_locks locks;
    struct thread_progress progress;
    uint64_t name;     /* the same in equivalent executions: parent and how-manieth child */
    uint64_t chain[2]; /* fingerprint of its history, for the class */
    uint64_t fact;     /* `fact` of the operation being carried out */
    struct await await;
};

enum { TRUSTED_MAX = 128 };

enum {
    WITNESSED = 1 << 30, /* each access is looked at: in detail, or by discipline.c */
    TRUSTED = 1 << 30,   /* the operation that it has announced is one of trusted code */
};

static inline uint32_t atomic_sections(const struct thread *thread)
{
    return thread->atomic_depth & ~(uint32_t)TRUSTED;
}

static inline bool is_ignoring(const struct thread *thread)
{
    return (thread->ignore_depth & ~(uint32_t)WITNESSED) != 0;
}

struct object_state { /* of one object in one execution */
    uint64_t name;
    uint64_t write[2], reads[2]; /* fingerprints: last write; sum of the reads since */
    struct sync sync;            /* for the race detector */
    uint32_t version;            /* counts changes, for awaits */
    uint32_t order; /* in which operations named it in this execution, from 1; 0: none did */
    uint32_t number;
    struct uses uses; /* if it is a synchronisation object: of its memory */
};

enum attention {
    ATTENTION_DETAIL = 1,
    ATTENTION_WATCH = 2,
    ATTENTION_WANDER = 4,
    ATTENTION_TRUST = 8,
    ATTENTION_STEPS = 16,
    ATTENTION_TWINS = 32,
    ATTENTION_STATE = 64,
    ATTENTION_DEBUG = 128,
};

enum careful {
    CAREFUL_BY_OPTIONS = 1,
    CAREFUL_BY_PROGRAM = 2, /* it has more than 64 threads, or atomic sections, or may loop */
};

struct execution {
    size_t used; /* bytes of the arena */
    struct thread *me;
    thread_id current;
    uint16_t thread_count;
    struct alias *aliases; /* memory at a second address (engine/alias.h); NULL: none */
    struct alias *shared;  /* mappings that other addresses or processes may share */
    uint64_t spare_names, backing_count;
    struct execution_clock clock;
    struct execution_signals signals;
    struct execution_timers timers;
    /* Possible work of a step beside choosing and recording it; tested at once. */
    uint16_t armed_count; /* timers that run, and children whose end is still to be told */
    uint16_t yielding_count;
    uint8_t attention; /* enum attention: what is done at each operation */
    uint8_t careful;   /* enum careful: anything else; it stays so to the end */
    uint16_t reserved; /* 0 */
    uint32_t object_count;
    struct execution_process process;
    struct execution_progress progress;
    struct execution_sync sync;
    struct execution_snapshot snapshot;
    struct execution_file file;
    struct execution_interpose interpose;
    struct execution_memory memory;
    struct execution_heap heap;
    uint32_t due;        /* steps after which it begins or ends, or there are too many */
    struct twins *twins; /* threads that are interchangeable (symmetry.h); NULL: not looked for */
    struct lives *lives; /* of objects that calls initialised or destroyed; NULL: of none */
    struct detector_sets {
        uint32_t step, access, ended, end; /* detectors that see such events */
        void **states;                     /* of each detector; NULL: none has one yet */
    } detectors;
    uint64_t fingerprint;
    uint64_t class[2];
    thread_set live;
    thread_set stuck; /* those of a deadlock among some, where others went on */
    thread_set by_readiness[READINESSES];
    struct race race; /* the race detector */
    /* a checkpoint copies only the first thread_count of these */
    struct op pending[THREADS_MAX];
    struct thread threads[THREADS_MAX];
    struct shared_pieces pieces; /* copied where memory.seen.piece is set */
};

struct stack {        /* where a thread runs; the same one in every execution */
    char *low, *high; /* its stack; the TLS of a ghost lies above */
    char *start;      /* where it begins to grow down: the rest of that page is never touched */
    char *top;
    uintptr_t fs;
};

struct object_slot { /* from address to number, over all executions */
    uint64_t address;
    uint32_t number; /* NO_OBJECT: free slot */
    uint32_t reserved;
};
struct object_use {             /* from number to what is known of it in this execution */
    struct object_state *state; /* valid if generation is */
    uint32_t generation;
    uint32_t reserved;
};
enum { OBJECT_SLOTS = 2 * OBJECTS_MAX };

#define FILE_NEVER UINT64_MAX /* a deadline that never comes */

enum { NOTHING_LISTED = UINT32_MAX };

#define NO_GENERATION UINT32_MAX

struct guard {   /* of what lasts (guard.h) */
    bool raised; /* for this execution */
    bool up;     /* not lowered since it was raised */
    bool always;
    uint32_t left;         /* executions until the next one that is guarded */
    uint32_t pause;        /* between two of them, about */
    uint64_t first, spent; /* nanoseconds: when the first was guarded; on all of them */
    struct rng rng;
};

struct runtime_code {        /* which code is whose (modules.h, trusted_code.h, local_state.h) */
    bool module_destructors; /* the program or a library of its own has one */
    uintptr_t program_start, program_size; /* the program's own module */
    const struct live_table *live;       /* what the program's code still reads; NULL: all of it */
    uintptr_t live_base;                 /* sites in that table count from here */
    uintptr_t quiet_start, quiet_size;   /* code whose calls are not operations */
    uintptr_t openmp_start, openmp_size; /* code whose threads are refused */
    uint32_t trusted_count;
    struct {
        uintptr_t start, end;
    } trusted[TRUSTED_MAX]; /* code whose operations are no scheduling points */
};

struct runtime_program { /* what libc was asked to start */
    uintptr_t main_fs;
    int (*main)(int, char **, char **);
    struct {
        int argc;
        char **argv;
        void (*init)(void), (*fini)(void), (*rtld_fini)(void), *stack_end;
    } start;
};

struct runtime_carriers {
    bool kernel_threads;    /* threads run on kernel threads, not on fibers */
    uint32_t monitor_count; /* kernel threads of our own beside the first */
};

struct runtime {
    bool running; /* the program's code is being executed: interposed calls are modelled */
    uint8_t
        attention; /* as in the execution; beside `running`, so that both are looked at in one */
    bool quick;    /* plain accesses only meet the race detector; looked at with those two */
    bool forked;   /* this process is one execution */
    bool forking;  /* the program's own fork is under way */
    bool race_check;
    bool in_signal;         /* in a handler: its stack must be walked with care */
    bool checkpoint_wanted; /* take one in the next execution */
    bool notes;             /* what steps touch is noted, for a strategy that reduces */
    bool reduces;       /* the strategy reduces: it is asked before each step of this execution */
    bool turns_skipped; /* the strategy explores by other orders what futile iterations lead to */
    bool asks;          /* the strategy is asked there, reduce or not */
    bool symmetry;      /* threads that cannot be told apart are looked for */
    uint8_t points;
    bool plain_points;            /* some plain accesses are scheduling points */
    uint32_t generation;          /* number of the execution */
    uint32_t setups[RACE_SETUPS]; /* generations in which existing checkpoints were taken, by
                                     their remainder */
    uint32_t threads_ready;
    struct runtime_code code;
    struct runtime_progress progress;
    struct runtime_memory memory;
    struct runtime_process process;
    struct runtime_worker worker;
    struct runtime_program program;
    struct runtime_carriers carriers;
    struct trace trace; /* steps are on the board */
    struct schedule schedule;
    uint32_t position;      /* in schedule.prefix */
    uint32_t next_listed;   /* its step */
    bool by_default;        /* so the strategy decides what is not listed */
    uint32_t *sign_of_life; /* on the board: steps so far */
    struct pilot pilot;
    struct choice_point at; /* what the strategy sees; much of it stays the same */
    const struct strategy *strategy;
    struct decision (*choose)(struct pilot *pilot,
                              const struct choice_point *at); /* of the strategy */
    const struct options *options;

    struct guard guard;
    struct stack stacks[THREADS_MAX];
    struct {
        struct object_slot slots[OBJECT_SLOTS];
        struct object_use uses[OBJECTS_MAX];
        uint32_t orders[OBJECTS_MAX];
        uint32_t known; /* numbers up to here are in `slots` */
    } objects;
    uint64_t signals_inherited; /* blocked when the process began */
};

#define rt (*(struct runtime *)RUNTIME_ADDRESS)
#define ex (*(struct execution *)EXECUTION_ADDRESS)

/* An address as a value that the compiler keeps in a register: loads from a constant 64-bit address
 * are instructions that processors decode slowly. */
static inline struct board *board_here(void)
{
    struct board *here = (struct board *)BOARD_ADDRESS;
    __asm__("" : "+r"(here));
    return here;
}
#define the_board board_here()

#define the_common ((struct common *)COMMON_ADDRESS)

extern bool controlled; /* the board is mapped; constant once the program starts */

static inline bool running(void)
{
    return likely(controlled) && rt.running;
}

/* The program runs, and its calls need no work. */
static inline bool running_calmly(void)
{
    uint16_t both;
    if (unlikely(!controlled))
        return false; /* and the runtime's memory is not there */
    __builtin_memcpy(&both, &rt.running, sizeof both);
    return both == true;
}
_Static_assert(sizeof(struct runtime) <= EXECUTION_ADDRESS - RUNTIME_ADDRESS &&
                   sizeof(struct execution) <= NEAR_HIGH - EXECUTION_ADDRESS,
               "one behind the other");
_Static_assert(offsetof(struct runtime, attention) == offsetof(struct runtime, running) + 1 &&
                   offsetof(struct runtime, quick) == offsetof(struct runtime, running) + 2,
               "looked at in one");

static inline bool running_quickly(const struct runtime *run)
{
    uint32_t all;
    __builtin_memcpy(&all, &run->running, sizeof all);
    return (all & 0xffffff) == 0x010001;
}

/* Nothing has to be done at a step but choosing and recording it, while nobody runs out of
 * steps. */
static inline bool steps_are_usual(void)
{
    uint64_t unusual;
    __builtin_memcpy(&unusual, &ex.armed_count, sizeof unusual);
    return unusual == 0;
}
_Static_assert(offsetof(struct execution, reserved) ==
                       offsetof(struct execution, armed_count) + 6 &&
                   offsetof(struct execution, armed_count) % 8 == 0 &&
                   offsetof(struct thread, cancel.requested) == offsetof(struct thread, state) + 1,
               "looked at in one");

static inline bool detecting(enum detector_id detector)
{
    return detects(rt.options->detect, detector);
}

/* The decision that is listed for this step; NULL: none is. */
static inline const struct decision *schedule_listed(uint32_t step)
{
    bool more = rt.position < rt.schedule.prefix_count;
    return more && rt.schedule.prefix[rt.position].step == step ? &rt.schedule.prefix[rt.position]
                                                                : NULL;
}

static inline void schedule_look_ahead(void)
{
    bool more = rt.position < rt.schedule.prefix_count;
    uint32_t check = rt.schedule.check_step;
    rt.next_listed = more ? rt.schedule.prefix[rt.position].step : NOTHING_LISTED;
    if (check != 0 &&
        check < rt.next_listed) /* a step may have to be checked that none is listed for */
        rt.next_listed = check;
}

static inline uint32_t thread_number(const struct thread *thread)
{
    return (uint32_t)(thread - ex.threads);
}

/* Memory that lives as long as the execution; cleared, or not. */
void *execution_take(size_t size);
void *execution_take_as_is(size_t size);

#endif
