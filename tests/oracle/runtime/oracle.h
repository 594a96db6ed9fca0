/* The oracle: a second, tiny runtime that runs a compiled program through all interleavings.
 *
 * It shares no code with src/, on purpose: what both agree on is right for two independent reasons. An object file that
 * gcc or clang made with -fsanitize=thread is linked with this runtime in place of Bohr's. Threads are coroutines, the
 * program's globals are put back from a copy before every execution, and the search is a plain enumeration: every
 * enabled thread, at every step, without any reduction. Dependence, synchronisation and enabledness are written by hand
 * from POSIX and C11; explore.c has the search, memory.c the accesses, the other files one family of functions each.
 *
 * A step is one operation with the code after it up to the next one, as docs/COUNTING.md says. Each access to a
 * location that two threads access in some execution is an operation. Which these are is learned: whenever one more is
 * seen the enumeration starts again, so that in the end no access of a shared location is missing. */
#ifndef ORACLE_H
#define ORACLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    THREADS = 8,          /* threads of one execution, timers and child processes among them */
    STEPS = 400,          /* steps of one execution; more is an error of the generator */
    STACK = 64 * 1024,    /* bytes of one coroutine's stack */
    HEAP = 64 * 1024,     /* bytes that one execution can allocate */
    CELLS = 4096,         /* words of memory that one execution can access as shared ones */
    ALTERNATIVES = 32,    /* ways to go on at one step */
    SET = 1 << 16,        /* slots of a set of results */
};

typedef uint32_t Clock[THREADS];
typedef uintptr_t Site;

/* How one access looks to the race check; "atomic" includes the use of a synchronisation object. */
enum access { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, ACCESSES };

/* The effect of a handler on a blocked call: nothing, EINTR without SA_RESTART, EINTR. */
enum interruption { NOT_INTERRUPTED, RESTARTED, INTERRUPTED };

/* Events that a thread takes in place of its operation. */
enum alert { NO_ALERT, BY_SIGNAL, BY_CANCELLATION };

enum state { UNUSED, STARTING, READY, DONE };

struct thread;
typedef bool (*Enabled)(struct thread *thread);

/* The operation that a thread is about to do. `enabled` is NULL where it is always possible. `outcomes` is the number of data
 * choices, found when the scheduler asks. */
struct operation {
    const char *name;
    Enabled enabled;
    unsigned (*outcomes)(struct thread *thread);
    void *object;
    long argument;
    Site site;
    bool cancellation_point;
    enum interruption interruption;
    Enabled waits; /* blocked but for a time limit; NULL: if it is not enabled */
    bool asleep;   /* it has certainly begun to wait */
    Enabled child_is_told; /* of a wait for a child: it can return before the handler of SIGCHLD runs */
};

struct thread {
    enum state state;
    int id;
    void *stack_pointer;
    char *stack;
    struct thread *creator; /* while the thread runs towards its first operation */
    void *(*start)(void *);
    void *argument;
    void *result;
    bool detached, joined, is_timer;
    struct operation operation;
    unsigned gives_way; /* threads that come first, one bit each, after a fair yield */
    Site timeout;       /* where the thread timed out last */
    unsigned choice; /* the outcome of a data choice of the step in hand */

    /* Happens-before, for races. */
    Clock clock, acquire_fence, release_fence;

    /* Condition variables, futexes: asleep on what, and woken or not. */
    void *asleep;
    bool woken;
    unsigned bits;

    /* Cancellation and signals. */
    bool cancel_requested, cancelling;
    uint64_t blocked, blocked_before, pending, awaited;
    enum alert alert;
    bool may_interrupt, interrupted, restarts, suspended;
};

struct step {
    Clock past; /* per thread: how many of its steps come before this one by dependence, itself included */
    uint64_t label;
    int thread;
};

/* One word of shared memory, or one modelled object, in the execution in hand. */
struct cell {
    uintptr_t key;
    uint32_t execution; /* the cell is empty unless this is the execution in hand */
    int last_write;     /* step, or -1 */
    int last_read[THREADS];
    struct {
        uint32_t epoch;
        Site site;
    } seen[THREADS][ACCESSES];
    Clock released, read_released;
};

/* Everything that the runtime keeps lies outside of the program's data, in one mapping. */
struct oracle {
    struct thread threads[THREADS];
    int thread_count;
    struct thread *running;
    void *scheduler_stack_pointer;
    bool ended;
    bool fair;     /* yields let the others go first */
    bool gave_way; /* some execution of the program would differ if they did */
    uint32_t execution;
    uint64_t time; /* virtual, in nanoseconds */

    struct step steps[STEPS];
    int step_count;
    int own_steps[THREADS];
    struct cell cells[CELLS];
    bool cut_short; /* this execution ended while another thread had not */

    char *heap;
    size_t heap_used;
    struct block {
        char *start;
        size_t size;
        Site freed;
    } blocks[256];
    int block_count;

    /* Over all executions of one program. */
    bool grown;
    struct {
        uint8_t count, taken;
    } choices[STEPS];
    int depth, choice_count;
    uint64_t executions;
    bool cut_any;
    uint64_t classes[SET];
    int class_count;
    struct race {
        Site first, second;
        uint8_t kinds[2];
        uintptr_t address;
    } races[512];
    int race_count;
    struct finding {
        char text[200];
        uint64_t count;
    } findings[512];
    int finding_count;
    struct owners {
        uintptr_t address;
        uint8_t threads; /* one bit for each thread that accessed it */
        bool written;
    } owners[SET];
    /* Where an error ends an execution early, threads may never come to what they share: all but accesses to the stack are
     * steps then. */
    bool everywhere;
    /* The last enumeration: only places that race are steps, as with Bohr's --points race. */
    bool at_races;
    Site racing[1024];
    int racing_count;
    const char *limit; /* why the enumeration is not complete, or NULL */
    uint64_t executions_max;
    void (*resets[16])(void);
    int reset_count;
};

extern struct oracle *the;

#define HERE ((Site)__builtin_return_address(0))
#define self (the->running)

/* explore.c */
void announce(struct operation operation);
void execution_end(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note_finding(const char *format, ...) __attribute__((format(printf, 1, 2)));
void exceeded(const char *limit) __attribute__((noreturn));
struct thread *thread_make(void *(*start)(void *), void *argument);
void thread_run_to_first_operation(struct thread *thread);
void thread_end(void *result) __attribute__((noreturn));
void end_here(const char *how, Site site) __attribute__((noreturn));
void *room(size_t size);
void at_reset(void (*reset)(void));
void clock_join(uint32_t *into, const uint32_t *other);

/* memory.c */
struct cell *cell_of(uintptr_t key);
void touch(const void *object, bool writes);
void touch_everything(void);
void use(const void *object, bool writes, Site site);
void race_check(uintptr_t address, enum access kind, Site site);
void access_step(const void *address, size_t size, enum access kind, const char *name, Site site);
void access_quietly(const void *address, size_t size, enum access kind, Site site);
void argument_read(const void *address, size_t size, Site site);
void acquire(const void *object);
void release(const void *object);
void release_again(const void *object);
void heap_reset(void);

/* results.c */
uint64_t mix(uint64_t hash, uint64_t value);
void set_add(uint64_t *set, int *count, uint64_t value);
void race_note(uintptr_t address, Site first, enum access first_kind, Site second, enum access second_kind);
void results_print(int program);
void results_print_at_races(void);
bool racing_add(void);
bool is_racing(Site site);
void results_clear(void);

/* threads.c, shared with others */
int thread_of(pthread_t handle);
void give_way(void);
void timed_out(Site site);
void time_reach(uint64_t time);

/* signals.c */
void alert_at_operation(struct thread *thread);
unsigned alert_outcomes(struct thread *thread);
bool alert_take(void);
void signal_process(int number);
unsigned signal_process_ways(int number);
bool signal_is_handled(int number);
void signals_of_wait(void);
void broken_pipe(void);

/* timers.c */
bool timer_rests(const struct thread *thread);

#endif
