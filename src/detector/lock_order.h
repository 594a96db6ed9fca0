/* Deadlocks that did not happen: threads that take locks in orders which would let them wait for
 * each other in another schedule (reverse lock chains of ExitBlock; the lock graph with gates of
 * GoodLock, Havelund 2000). */
#ifndef DETECTOR_LOCK_ORDER_H
#define DETECTOR_LOCK_ORDER_H

#include "core/thread.h"

enum { LOCKS_HELD_MAX = 8, LOCK_CHAIN_MAX = 8 };

/* A read-write lock that is taken to read: such ones do not keep each other out. */
#define LOCK_SHARED (1u << 31)

struct lock_taken { /* by a thread that held others and would have waited */
    struct lock_taken *next;
    uint64_t site;
    uint32_t lock, step; /* locks by number, with LOCK_SHARED */
    thread_id thread;
    uint8_t held_count;
    uint32_t held[LOCKS_HELD_MAX];
};

/* Who would wait for the next one in a circle that begins with `from`: all of different threads,
 * none of them holding a lock in common that keeps the others out (a gate), no two of them ordered
 * whatever the schedule. Returns how many; 0: there is no circle. */
uint32_t lock_order_circle(const struct lock_taken *all, const struct lock_taken *from,
                           bool (*ordered)(const struct lock_taken *a, const struct lock_taken *b),
                           const struct lock_taken *chain[LOCK_CHAIN_MAX]);

bool lock_taken_is_like(const struct lock_taken *a, const struct lock_taken *b);

#endif
