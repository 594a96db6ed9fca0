/* Deadlocks that did not happen: threads take locks in orders that would let them wait for each
 * other in another schedule. The method is that of the reverse lock chains of ExitBlock, and of the
 * lock graph with gate locks of GoodLock (Havelund 2000). */
#ifndef DETECTOR_LOCK_ORDER_H
#define DETECTOR_LOCK_ORDER_H

#include "core/thread.h"

enum { LOCKS_HELD_MAX = 8, LOCK_CHAIN_MAX = 8 };

/* Marks a read-write lock taken for reading. Two such holders do not exclude each other. */
#define LOCK_SHARED (1u << 31)

/* A lock that a thread took while it held others; it could have waited there. */
struct lock_taken {
    struct lock_taken *next;
    uint64_t site;
    uint32_t lock, step; /* locks are named by number, with LOCK_SHARED */
    thread_id thread;
    uint8_t held_count;
    uint32_t held[LOCKS_HELD_MAX];
};

/* Finds a circle that begins with `from`, in which each thread would wait for the next. All threads
 * differ, no two share a lock that excludes the other (a gate lock), and no two takings are ordered
 * in every schedule. Returns the length of the chain; 0: there is no circle. */
uint32_t lock_order_circle(const struct lock_taken *all, const struct lock_taken *from,
                           bool (*ordered)(const struct lock_taken *a, const struct lock_taken *b),
                           const struct lock_taken *chain[LOCK_CHAIN_MAX]);

bool lock_taken_is_like(const struct lock_taken *a, const struct lock_taken *b);

#endif
