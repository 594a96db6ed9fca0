/* Reverse lock chains (ExitBlock-DD): would threads wait for each other if some of them had not yet
 * taken the lock that they released last?
 *
 * From a thread that cannot have a lock, the chain leads to the holder of that lock, to the lock
 * that the holder released last, to its holder, and so on. If the chain comes back to the first
 * thread, an execution with a deadlock may exist. */
#ifndef STRATEGY_CHAINS_H
#define STRATEGY_CHAINS_H

#include "base/arena.h"
#include "core/trace.h"

struct held_lock { /* A lock; all zeros: no thread has taken it in this execution. */
    uint32_t generation;
    uint32_t taken; /* the step with which the owner took the lock */
    uint32_t below; /* the lock that its owner took before and still holds; NO_OBJECT: none */
    uint32_t depth; /* number of times that the owner has taken the lock */
    thread_id owner;
};

/* In some execution the thread took, or wanted, one lock while it held another. */
struct lock_edge {
    uint32_t held, wanted;
    thread_id thread;
};

struct chains {
    struct held_lock *locks;
    struct lock_edge *edges; /* edges of all executions; the caller keeps their number */
    uint32_t generation;
    bool unnested; /* A lock was released before one taken later: chains may miss a circle. */
    bool shared;   /* several threads may hold some lock at once: chains may miss a circle */
    struct {
        uint32_t top;  /* the lock that the thread took last and still holds; NO_OBJECT: none */
        uint32_t last; /* the lock that the thread released last; NO_OBJECT: none */
        uint32_t last_taken; /* the step with which the thread took that lock */
    } threads[THREADS_MAX];
};

void chains_open(struct chains *chains, struct arena *arena);
void chains_begin(struct chains *chains); /* begins an execution */
void chains_step(struct chains *chains, const struct step *step, uint32_t number);

/* Notes that a thread wants a lock; returns the number of edges. */
uint32_t chains_note(struct chains *chains, uint32_t edges, thread_id thread, uint32_t lock);
/* Whether different threads take locks in a circle, perhaps in different executions. Without that,
 * no deadlock of locks exists. */
bool chains_may_close(const struct chains *chains, uint32_t edges);

/* The other threads of the circle that `thread` closes if it cannot have this lock. Returns their
 * number; 0: there is no circle. */
uint32_t chains_find(struct chains *chains, thread_id thread, uint32_t lock,
                     thread_id others[THREADS_MAX]);

#endif
