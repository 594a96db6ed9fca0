/* Loops that wait for a value: a thread that comes back to a read in the same local state, having
 * written nothing, and finds all it read in that turn unchanged, need not run until that
 * changes. */
#ifndef RUNTIME_PROGRESS_AWAIT_H
#define RUNTIME_PROGRESS_AWAIT_H

#include "runtime/arch/x86_64/local.h"
#include "runtime/engine/runtime.h"
#include "runtime/engine/upper.h"

/* Before a read is announced: finds out whether the thread waits. The operand is what an update
 * would store, or a compare-exchange expects and would store: the program need not hold it any
 * longer. */
static inline void await_before_read(const volatile void *address, uint32_t size, uint32_t object,
                                     const struct local *local)
{
    await_before(address, size, object, 0, local);
}
/* When it has been carried out. */
/* How the object of an atomic read was before, and what the thread knew, in case the turn is
 * futile. */
/* Another value that the same operation has looked at. */
void await_also_read(const volatile void *address, uint32_t size, uint32_t object);
/* At a yield or a sleep: counts turns of a loop that were like one before. */
void await_turn(const struct local *local);
uint64_t await_turns(const struct await *await); /* turns in which nothing has changed */

/* The pending read waits for changes of several objects. */
/* The step being carried out could not have come before these had changed. */

/* Before two of them are compared: stacks must not hold what we have left there, see rt.wipes. */

#endif
