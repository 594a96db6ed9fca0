/* Atomic blocks (ExitBlock: Bruening and Chapin): the steps of a thread up to one that enables
 * others.
 *
 * A step that only takes something (a lock, a join, the end of a wait) can be moved to just before
 * the step that ends its block, whatever others do in between. So it is enough to run blocks in all
 * orders. A release, the creation of a thread, and each operation that no lock guards (an atomic
 * access, a semaphore, a signal) end a block. */
#ifndef STRATEGY_BLOCKS_H
#define STRATEGY_BLOCKS_H

#include "core/trace.h"

enum { BLOCK_TOUCHES_MAX = 1024 };

/* Marks an object in a footprint as a lock. It is read if the block leaves the lock as it found
 * it. */
enum { BLOCK_LOCK = 1 << 28 };

struct block_print { /* The objects that a block reads and writes: each once, by rising number. */
    struct touch touches[BLOCK_TOUCHES_MAX];
    uint32_t count;
    bool all; /* the block depends on every other block */
};

struct block_steps { /* Steps of an execution that is in flight or over. */
    const struct step *steps;
    const struct touch *touches;
};

/* How an operation changes the locks that its thread holds. */
enum lock_change { LOCK_NONE, LOCK_TAKES, LOCK_GIVES, LOCK_LOOKS };
enum lock_change step_lock_change(const struct step *step);
uint32_t op_lock(const struct op *op); /* the lock that the operation is about; NO_OBJECT: none */
/* Whether the operation's effect depends on other threads that hold the lock, though it does not
 * wait for them: a try, or a writer that joins a queue then. Readers wait behind that writer. The
 * queue is all that shows of a timed write-lock where the lock is free. */
bool op_notices_holder(enum op_kind kind);

/* Whether a step ends a block. With `fine`, taking a lock and joining a thread end a block, too:
 * whether a lock is held or a thread joined makes a difference then. */
bool step_ends_block(const struct step *step, bool fine);

/* The footprint of the steps from `begin` to `end` - 1. With `guards`, locks stand for what they
 * guard: a thread that takes a lock writes it. */
void block_print(struct block_print *print, struct block_steps at, uint32_t begin, uint32_t end,
                 bool guards);
void block_print_add(struct block_print *print, struct touch touch);
bool block_touches_conflict(const struct touch *a, uint32_t a_count, const struct touch *b,
                            uint32_t b_count);

/* Whether steps of different threads touch the same object, other than their locks, and one of them
 * writes it. */
bool steps_meet(const struct trace *trace, uint32_t i, uint32_t k);

/* Whether threads do anything that depends on others beyond holding locks. Only an execution that
 * came to its end can show that they do not. */
bool threads_interact(const struct trace *trace);

#endif
