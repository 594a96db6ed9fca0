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
#include "strategy/strategy.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define EXPORT      __attribute__((visibility("default")))
#define CALL_SITE   ((uintptr_t)__builtin_return_address(0))

enum thread_state { THREAD_UNUSED, THREAD_STARTING, THREAD_LIVE, THREAD_ENDED, THREAD_STATES };

/* Whether a thread's operation can be carried out: not before another thread ends; always, in one
 * way; in one way if its mutex is free; or if it can, when asked. */
enum readiness { ASLEEP, READY, LOCKING, ASKED, READINESSES };

enum { AWAIT_READS_MAX = 16, THREAD_NAME_SIZE = 16, DESCRIPTORS_MAX = 1024 };

/* The reads of a thread since it last wrote: if it comes back to one of them in the same local
 * state and nothing that it read since has changed, it waits. */
struct await {
    uint32_t count;
    uint32_t wrote;    /* enum wrote: something that lasts, since each of these was cleared */
    uint32_t turn;     /* the pending read waits for a change in reads[turn..count); NOT_AWAITING */
    uint32_t step;     /* of the last read, from 1; … */
    uint64_t chain[2]; /* … and its thread's history before it */
    uint64_t object_write[2],
        object_reads[2]; /* if that read was a write, too: its object's history before it */
    struct await_read {
        uint64_t state; /* hash of registers, stack, site and address */
        uint64_t value;
        const volatile void *address;
        uint32_t object, version;
        uint16_t size;
        uint16_t site; /* the last bits of it */
        uint32_t step; /* of it, from 0 */
    } reads[AWAIT_READS_MAX];
};
enum { NOT_AWAITING = AWAIT_READS_MAX };
#define NOT_AGAIN UINT32_MAX

/* Beside these there is a number, times WROTE_POLL: locks that were taken since, see
 * progress/lock_poll.c. */
enum wrote {
    WROTE_IN_CYCLE = 1,
    WROTE_IN_ROUND = 2,
    WROTE_IN_TURN = 4,
    WROTE_ALL = 7,
    WROTE_POLL = 8,
};

/* Its thread has written: it does not merely wait. Both words at once, this is on the way of every
 * write. */
static inline void await_wrote(struct await *await)
{
    uint64_t words = (uint64_t)WROTE_ALL << 32;
    __builtin_memcpy(&await->count, &words, sizeof words);
}

static inline void await_clear(struct await *await, enum wrote which)
{
    await->wrote &= ~(uint32_t)which;
}

/* It has written to a file of the kernel's: who looks there says so (watch_outside). */
static inline void await_wrote_out(struct await *await)
{
    bool wrote = await->wrote & WROTE_IN_ROUND;
    await_wrote(await);
    if (!wrote)
        await_clear(await, WROTE_IN_ROUND);
}
_Static_assert(offsetof(struct await, wrote) == offsetof(struct await, count) + 4,
               "written at once");

struct destructor { /* of a thread_local object */
    void (*run)(void *);
    void *object;
    struct destructor *next;
};

/* Threads that cannot be told apart (symmetry.h); 0: none. */
struct twins {
    thread_id elder, younger; /* created before and after it */
    thread_id created;        /* the child that its last step has made */
    thread_id joining;        /* the eldest of those that it has begun to join */
    uint32_t begun;           /* 1 + its first step; 0: it has taken none */
    bool held;                /* until its elder has begun */
    bool named;               /* somebody means this one in particular */
    bool result_wanted;       /* of the eldest: by who joins them */
    struct local local;       /* where it stood before its first operation … */
    uint64_t value;           /* … and what that stores */
};

/* A call of malloc or stdio, which a signal handler must not find half-done (time/signal_unsafe.h)
 */
struct stateful_call {
    const char *name; /* NULL: none so far */
    uintptr_t site;
    uint64_t unblocked; /* signals that could interrupt it */
    uint32_t steps;     /* taken when it was called */
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
    bool detached, joined, exiting;
    bool signalled; /* a waiter that may wake */
    bool doubted;   /* its await was tried once more before a livelock was reported */
    bool timed;     /* … or without a signal, by a timeout */
    bool yielding;  /* has given way and waits for yields_to */
    bool vain; /* it has gone round in vain and takes no further step, see progress/vain.h; … */
    uint32_t vain_from;    /* … in steps from this one on */
    uint32_t sleeps_again; /* it is about to sleep as it did from this step on, in the same local
                              state; NOT_AGAIN */
    uint32_t timeouts;     /* how often it has timed out at timeout_site before */
    uint8_t asleep;        /* the kind of the second step of a wait, also while a handler runs; 0 */
    uint8_t interruption;  /* enum interruption: what a handler does to its pending operation */
    bool interrupted;      /* … and has done */
    uint8_t readiness;     /* enum readiness: in which set it is */
    struct op_words announced; /* its last operation, whatever has replaced it since */
    thread_id starter;         /* who gets control back when it has started */
    thread_id parent;
    uint32_t go;      /* kernel carrier: futex; … */
    uint32_t carrier; /* … the kernel's number of its thread; 0: of main, or not known */
    uint32_t children, allocations;
    uint32_t guard_size; /* below its stack, as it was asked for */
    uint32_t looks;      /* at the clock, since it last slept */
    uint64_t cpu_time;   /* virtual nanoseconds */
    uint64_t deadline;   /* of its pending operation, if that is timed; otherwise out of date */
    struct thread_signals {
        uint64_t blocked, pending; /* signal n is bit n - 1 */
        uint64_t awaited;          /* by its pending wait for a signal */
        uint64_t before;           /* blocked again when the handler returns, if suspended */
        struct queued *queue;      /* what is known of the pending ones, first come first */
        struct handler *handlers;  /* that run, on the thread's stack, innermost first */
        char *stack;               /* sigaltstack */
        size_t stack_size;
        struct stateful_call last_call; /* since its last operation, or before that */
        uint64_t let_in; /* by changing the mask while it held a lock; may be out of date */
        uint8_t sending; /* the signal that its pending operation sends */
        bool suspended;  /* by sigsuspend */
    } signals;
    void *robust;                  /* the robust mutex that it took last; NULL */
    struct reading *reading;       /* read-write locks that it has had to read */
    struct race_kept *before_read; /* of the last read that a loop may have to forget; NULL: none */
    const struct sync *barrier_arrived; /* what those did that arrived with it at a barrier */
    struct poll *polls;  /* locks that it has taken since it last wrote; NULL: none so far */
    struct timer *timer; /* that it stands for; NULL: it is a thread, or … */
    struct child *child; /* … stands for the end of that process */
    uint64_t randoms;    /* random numbers taken */
    thread_set yields_to;
    uint32_t held_count, held[LOCKS_HELD_MAX]; /* locks that it holds, by number; … */
    uint32_t held_shared;                      /* … one bit for each: to read */
    void *mutex, *cond;                        /* of its pending operation */
    struct object_state *object;               /* … the one that the operation names; NULL */
    uintptr_t stack_low, stack_size;           /* without the TLS above */
    uintptr_t timeout_site, yield_site;        /* of its last timeout; of its last yield or sleep */
    uint32_t yields; /* how often it has yielded there before, without a turn that did nothing */
    uint32_t atomic_depth,
        ignore_depth; /* bohr_atomic_begin, bohr_ignore_begin; TRUSTED, WITNESSED */
    uintptr_t
        trusted_stack;   /* where the stack of the trusted function that it is in ends; 0: none */
    bool atomic_entered; /* the first operation of the atomic section was announced */
    bool restarts;       /* the last handlers were all installed with SA_RESTART */
    struct {
        uint32_t bits;  /* of a wait or a wake */
        uint32_t count; /* how many a wake wakes */
        bool timed;
    } futex;
    uint32_t depth; /* how often a waiter held its recursive mutex */
    void *(*start)(void *);
    void *argument, *result;
    uintptr_t base; /* frame of its first function: unwinding ends here */
    struct destructor *destructors;
    void *cleanups; /* __pthread_unwind_buf_t of pthread_cleanup_push, innermost first */
    char label[THREAD_NAME_SIZE]; /* pthread_setname_np; empty: as the kernel says */
    int8_t niceness;              /* beyond that of the process when it began */
    uint8_t *processors;          /* pthread_setaffinity_np; NULL: as the kernel says */
    uint64_t name;     /* the same in equivalent executions: parent and how-manieth child */
    uint64_t chain[2]; /* fingerprint of its history, for the class */
    uint64_t fact;     /* … and of the operation being carried out */
    uint64_t anchor;   /* hash of the local state at its last read that may wait; 0: unknown */
    uint64_t
        position;   /* where it is, for the cycle detector: its last anchor and its steps since */
    uint64_t place; /* hash of the local state at its last call that was watched; 0: unknown */
    uintptr_t place_site, frame; /* … where that was, and where its stack begins */
    char *heap_end;
    struct await await;
};

enum {
    WITNESSED = 1 << 30, /* each access is looked at: in detail, or by discipline.c */
    TRUSTED = 1 << 30,   /* the operation that it has announced is one of trusted code */
    TRUSTED_MAX = 128,
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
    ATTENTION_TWINS = 32,
    ATTENTION_STATE = 64,
    ATTENTION_DEBUG = 128,
};

enum careful {
    CAREFUL_BY_OPTIONS = 1,
    CAREFUL_BY_PROGRAM = 2, /* it has more than 64 threads, or atomic sections, or may go round */
};

enum { PROCESS_KEPT_MAX = 3 }; /* attributes that a reset puts back (snapshot/process_state.c) */

enum { SHARED_WORDS = 192 }; /* see memory/shared_state.h */

struct execution {
    size_t used; /* bytes of the arena */
    struct thread *me;
    thread_id current;
    uint16_t thread_count;
    thread_id found_last;    /* by its handle */
    bool exit_handlers;      /* the program has registered one */
    bool doubts;             /* whoever waits had another turn, … */
    uint32_t doubts_from;    /* … from this step on */
    uint64_t time, cpu_time; /* virtual nanoseconds since the start */
    struct made *made;       /* what would outlive the process, to be removed at the end */
    struct {                 /* prctl, as long as the kernel is not told */
        uint8_t death_signal, dumpable;
        bool dumpable_set, subreaper;
    } attributes;
    struct alias *aliases; /* memory at a second address (engine/alias.h); NULL: none */
    struct alias *shared;  /* mappings that other addresses or processes may share */
    uint64_t spare_names, backing_count;
    int random_file; /* behind the last random device that was opened; 0: none */
    struct {         /* sent to the process, and blocked by all threads */
        uint64_t pending;
        struct queued *queue;
        bool handlers_set; /* the program has installed one */
    } signals;
    struct {
        struct timer *all, *interval[3]; /* of timer_create; of setitimer */
        uint32_t made;
        bool set;            /* there may be one */
        uint8_t objects[64]; /* their addresses name timers */
    } timers;
    /* What may have to be done at a step beside choosing and recording it; looked at in one. */
    uint16_t armed_count; /* timers that run, and children whose end is still to be told */
    uint16_t yielding_count;
    uint8_t attention; /* enum attention: what is done at each operation */
    uint8_t careful;   /* enum careful: anything else; it stays so to the end */
    uint16_t reserved; /* 0 */
    uint32_t left_out; /* how often somebody who gave way was not let run */
    uint32_t spurious; /* wake-ups of condition variables without a signal so far */
    uint32_t object_count;
    struct turns *turns;    /* the cycle detector's; NULL until something was tried in vain */
    struct states *states;  /* what tells states apart beside memory; NULL: they are not compared */
    struct watch *watch;    /* that of long executions; NULL until this is one */
    struct wander *wander;  /* of loops whose steps could come in another order; NULL the same */
    uint32_t due;           /* steps after which it begins or ends, or there are too many */
    uint32_t process_count; /* child processes started */
    struct child *processes;
    struct folder *folders;        /* that are being listed */
    struct discipline *discipline; /* of lockset and atomicity; NULL: nothing yet */
    struct {
        bool ignoring;     /* a thread has asked for accesses not to be looked at */
        bool use_on_stack; /* a synchronisation object on a stack was used */
    } seen;
    char *token;                     /* where strtok goes on; NULL: nowhere */
    struct twins *twins;             /* of each thread; NULL: they are not looked for */
    struct benign *benign;           /* memory whose races the program does not mind; NULL: none */
    struct witnesses *witnesses;     /* of accesses, in a detailed execution; NULL: none yet */
    struct lock_taken *locks_taken;  /* while others were held; NULL: none */
    struct descriptors *descriptors; /* what is known of those that were closed; NULL: nothing */
    struct file_call *file_calls;    /* that used a mapped file (memory/mapped.h); NULL: none */
    uint32_t shared_words[SHARED_WORDS];      /* a word for each piece of state beside memory that
                                                 threads share */
    uint64_t shared_named[SHARED_WORDS / 64]; /* those that reports know the name of, a bit each */
    uint32_t shared_step; /* steps taken when a call on such a piece was announced; 0: it was not */
    struct lives *lives;  /* of objects that calls initialised or destroyed; NULL: of none */
    uint64_t fingerprint;
    uint64_t class[2];
    thread_set live;
    thread_set stuck; /* those of a deadlock among some, where others went on */
    thread_set by_readiness[READINESSES];
    struct {
        uintptr_t start;
        size_t size;
    } block;          /* of the heap, that an access was found to be in last */
    bool guarded;     /* the program has taken its own right to read some of its memory */
    bool copies;      /* the access being looked at: what it reads need not be set */
    struct race race; /* the race detector */
    /* a checkpoint copies only the first thread_count of these */
    struct op pending[THREADS_MAX];
    struct thread threads[THREADS_MAX];
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

enum { RACES_SEEN = 64 };

#define NO_GENERATION UINT32_MAX

enum driver_call { CALL_ENDED, CALL_CHECKPOINT };

/* Of the flight: all numbers behind those of findings and sites, of which there are none. */
enum {
    CHECKPOINT_FLIGHT = offsetof(struct flight, enabled_max),
    CHECKPOINT_FLIGHT_SIZE = offsetof(struct flight, findings) - CHECKPOINT_FLIGHT,
};

enum { LEVELS_MAX = RACE_SETUPS };

struct guard {   /* of what lasts (guard.h) */
    bool raised; /* for this execution … */
    bool up;     /* … and not lowered since */
    bool always;
    uint32_t left;         /* executions until the next one that is guarded */
    uint32_t pause;        /* between two of them, about */
    uint64_t first, spent; /* nanoseconds: when the first was guarded; on all of them */
    struct rng rng;
};

struct checkpoint { /* where executions begin, and where they might (checkpoint.h) */
    struct level {
        uint32_t steps;                      /* before it, … */
        uint32_t decided;                    /* … and 1 + the last decision among them; 0: none */
        uint64_t used;                       /* by so many executions */
        char flight[CHECKPOINT_FLIGHT_SIZE]; /* as it was there */
    } levels[LEVELS_MAX]; /* one behind the other; the first at the first decision */
    uint32_t count;
    uint32_t wanted;         /* the step to take the next one at; 0: the first decision */
    uint32_t lowest;         /* step that a plan has changed, and … */
    uint64_t missed, misses; /* … how many steps were run again, by how many executions, since the
                                last one was taken or dropped */
    uint64_t
        doubt; /* how many times what one takes it must save; the more, the more were of no use */
    uint64_t planned, not_before; /* plans up to the last execution; executions */
    bool reduced;                 /* the last plan was that of a strategy that reduces */
    struct {
        uint64_t begun,
            taken; /* when the execution began, and was where one is taken; 0: it was not there */
        uint64_t cost;       /* of taking one; 0: unknown */
        uint64_t run, steps; /* what so many steps took */
    } time;                  /* nanoseconds */
    uint32_t forced;
};

struct aftermath { /* of a failure (aftermath.h) */
    bool on;
    bool killed; /* a process died in one: there are no more of them */
    bool barred; /* a thread cannot go on in this execution */
    bool notes, reduces, asks, turns_skipped, checkpoint_wanted; /* as they were at the failure */
    uint32_t count, capacity, steps;
    char flight[CHECKPOINT_FLIGHT_SIZE];
};

struct runtime {
    bool running; /* the program's code is being executed: interposed calls are modelled */
    uint8_t
        attention; /* as in the execution; beside `running`, so that both are looked at in one */
    bool quick;    /* plain accesses only meet the race detector; looked at with those two */
    bool kernel_threads;
    bool forked;          /* this process is one execution */
    bool forking;         /* the program's own fork is under way */
    bool process_changed; /* attributes of the process differ from what these keep */
    struct kept_state {
        bool changed;
        long value;
    } process_kept[PROCESS_KEPT_MAX];
    bool race_check;
    bool fault_memory;       /* --fault memory:OPERATION */
    bool uses_quick;         /* the use of a synchronisation object only meets the race detector */
    bool reads_matter;       /* … or somebody else wants to know of each read */
    bool in_signal;          /* in a handler: its stack must be walked with care */
    bool module_destructors; /* the program or a library of its own has one */
    bool checkpoint_wanted;  /* take one in the next execution */
    bool frees;              /* steps have freed memory, in this execution or before */
    bool notes;              /* what steps touch is noted, for a strategy that reduces */
    bool reduces;            /* … which is asked before each step of this execution */
    bool turns_skipped;      /* … and explores by other orders what futile iterations lead to */
    bool asks;               /* the strategy is asked there, reduce or not */
    bool symmetry;           /* threads that cannot be told apart are looked for */
    uint8_t points;
    bool plain_points;            /* some plain accesses are scheduling points */
    uint32_t generation;          /* of executions; … */
    uint32_t setups[RACE_SETUPS]; /* … of those in which a checkpoint was taken that there is, by
                                     their remainder */
    uint32_t threads_ready;
    uintptr_t program_start, program_size; /* the program's own module */
    const struct live_table *live;       /* what the program's code still reads; NULL: all of it */
    uintptr_t live_base;                 /* sites in that table count from here */
    uintptr_t quiet_start, quiet_size;   /* code whose calls are not operations */
    uintptr_t openmp_start, openmp_size; /* code whose threads are refused */
    uint32_t trusted_count;
    struct {
        uintptr_t start, end;
    } trusted[TRUSTED_MAX]; /* code whose operations are no scheduling points */
    bool wipes; /* the program waits for values: local states are compared, and what we leave on
                   stacks, which depends on where executions begin, is wiped */
    uint32_t patience; /* plain accesses left before this step is suspected to spin */
    struct {
        uint64_t hash; /* of the local state at a suspected access */
        uintptr_t site;
        uint32_t left;         /* accesses to watch; 0: not suspected */
        uint32_t rounds, step; /* how often it was suspected in vain, in this step */
    } spin;
    struct trace trace;     /* steps are on the board */
    struct written written; /* by the execution that ended last, where it is compared */
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
    uint64_t site_filter[64]; /* one bit for each hash of a promoted site */
    struct race_seen { /* what the execution of that generation has said of a race need not be said
                          again */
        uint64_t site;
        uint32_t earlier, generation; /* the earlier site: its low half */
        bool atomic, earlier_atomic;
    } races_seen[RACES_SEEN];
    uint64_t number_in_flight; /* of the execution, for all that is noted of it: others go on
                                  meanwhile */
    uint32_t site_count;

    void *driver_sp;
    uintptr_t driver_fs, main_fs;
    enum driver_call call;
    struct checkpoint checkpoint;
    struct aftermath aftermath;
    struct guard guard;
    int child;              /* number of this process if the program started it; 0: it did not */
    uint32_t child_process; /* … and the kernel's; a child of its own keeps it */
    uint32_t monitor_count; /* kernel threads of our own beside the first */
    uint64_t executions;    /* run by this process, for sampled checks; … */
    uint64_t plans;         /* … planned */
    struct {
        uint64_t bytes, executions; /* there were, when it was done last */
        uint64_t most;              /* bytes since some were given back */
    } spill;
    int (*main)(int, char **, char **);
    struct {
        int argc;
        char **argv;
        void (*init)(void), (*fini)(void), (*rtld_fini)(void), *stack_end;
    } start;
    struct stack stacks[THREADS_MAX];
    struct {
        struct object_slot slots[OBJECT_SLOTS];
        struct object_use uses[OBJECTS_MAX];
        uint32_t orders[OBJECTS_MAX];
        uint32_t known; /* numbers up to here are in `slots` */
    } objects;
    uint64_t signals_inherited; /* blocked when the process began */
    size_t undo_count;          /* shadow cells kept at UNDO_ADDRESS */
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

/* … and nothing is to be done when it calls. */
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

static inline bool detecting(enum detector detector)
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
