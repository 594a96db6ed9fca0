/* Atomic blocks (ExitBlock: Bruening and Chapin): the steps of a thread up to one that lets others
 * on.
 *
 * What only takes (a lock, a join, the end of a wait) can be moved to just before the step that
 * ends its block, whatever others do in between: so it is enough to run blocks in all orders. A
 * release, a birth, and each operation that no lock guards (an atomic access, a semaphore, a
 * signal) end a block. */
#ifndef STRATEGY_BLOCKS_H
#define STRATEGY_BLOCKS_H

#include "core/trace.h"

enum { BLOCK_TOUCHES_MAX = 1024 };

/* In a footprint: the object is a lock, which is read if it is as before after the block. */
enum { BLOCK_LOCK = 1 << 28 };

struct block_print { /* what a block reads and writes, by rising object, each once */
    struct touch touches[BLOCK_TOUCHES_MAX];
    uint32_t count;
    bool all; /* it depends on every other block */
};

struct block_steps { /* of an execution, in flight or over */
    const struct step *steps;
    const struct touch *touches;
};

/* How an operation changes what its thread holds. */
enum lock_change { LOCK_NONE, LOCK_TAKES, LOCK_GIVES, LOCK_LOOKS };
enum lock_change step_lock_change(const struct step *step);
uint32_t op_lock(const struct op *op); /* the lock that it is about; NO_OBJECT */

/* With `fine`, whether a lock is held or a thread is joined makes a difference: to take a lock, or
 * to join, ends a block, too. */
bool step_ends_block(const struct step *step, bool fine);

/* With `guards`, locks stand for what they guard: they are written by who takes them. */
void block_print(struct block_print *print, struct block_steps at, uint32_t begin, uint32_t end,
                 bool guards);
void block_print_add(struct block_print *print, struct touch touch);
bool block_touches_conflict(const struct touch *a, uint32_t a_count, const struct touch *b,
                            uint32_t b_count);

/* Whether steps of different threads touch the same otherwise than by locks, and one of them writes
 * it. */
bool steps_meet(const struct trace *trace, uint32_t i, uint32_t k);

/* Whether threads do anything that depends on others but hold locks; of an execution that came to
 * its end. */
bool threads_interact(const struct trace *trace);

#endif
