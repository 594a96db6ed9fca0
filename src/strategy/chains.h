/* Reverse lock chains (ExitBlock-DD): would threads wait for each other if some of them had not yet
 * taken the lock that they gave back last?
 *
 * A thread that cannot have a lock looks at who holds it, at the lock that this one held last, at
 * who holds that, and so on: if it comes back to itself, there may be an execution with a deadlock.
 */
#ifndef STRATEGY_CHAINS_H
#define STRATEGY_CHAINS_H

#include "base/arena.h"
#include "core/trace.h"

struct held_lock { /* zeros: nobody has had it in this execution */
    uint32_t generation;
    uint32_t taken; /* the step with which its owner took it */
    uint32_t below; /* the lock that its owner took before and has still; NO_OBJECT */
    uint32_t depth; /* how often it was taken */
    thread_id owner;
};

struct lock_edge { /* in some execution the thread took, or wanted, one lock while it held another
                    */
    uint32_t held, wanted;
    thread_id thread;
};

struct chains {
    struct held_lock *locks;
    struct lock_edge *edges; /* of all executions; how many there are lasts elsewhere */
    uint32_t generation;
    bool unnested; /* a lock was given back before one that was taken later: some chains are not
                      seen */
    bool shared;   /* … or several threads may have it at a time */
    struct {
        uint32_t top;        /* the lock that it took last and has still; NO_OBJECT */
        uint32_t last;       /* the lock that it gave back last; NO_OBJECT */
        uint32_t last_taken; /* the step with which it had taken that one */
    } threads[THREADS_MAX];
};

void chains_open(struct chains *chains, struct arena *arena);
void chains_begin(struct chains *chains); /* an execution */
void chains_step(struct chains *chains, const struct step *step, uint32_t number);

/* Notes that a thread wants a lock; returns the number of edges. */
uint32_t chains_note(struct chains *chains, uint32_t edges, thread_id thread, uint32_t lock);
/* Whether different threads take locks in a circle, be it in different executions: without that
 * there is no deadlock of locks. */
bool chains_may_close(const struct chains *chains, uint32_t edges);

/* Who waits for whom if `thread` cannot have this lock: all others of the circle; 0: there is none.
 */
uint32_t chains_find(struct chains *chains, thread_id thread, uint32_t lock,
                     thread_id others[THREADS_MAX]);

#endif
