/* Threads that are the same but for their numbers (--symmetry): of executions that differ only in
 * which of them does what, one is run.
 *
 * A parent creates them one right after the other, with the same function and argument; none has
 * begun when the next one is created, and all stand before the same operation in the same local
 * state. Then the state is the same if two of them change places, and so is all that comes after:
 * they begin in the order of their creation. What could tell them apart later shows when it is
 * done, and then the threads of that function are taken for what they are: the search restarts.
 * It is
 *
 * - to ask for one's own identity, or to name one of them in a call other than the parent's join;
 * - to join some of them and then do anything else, to see different results, or to wait to the end
 * for one where another has ended;
 * - memory that the parent uses between two joins or two creations, and that is in order with what
 * the threads do only by the one or the other of them: for the race detector each of them begins
 * like the first and ends like the last. */
#ifndef RUNTIME_ENGINE_SYMMETRY_H
#define RUNTIME_ENGINE_SYMMETRY_H

#include "runtime/engine/runtime.h"

void symmetry_open(void);              /* with the execution */
bool symmetry_holds(thread_id thread); /* until its elder has begun */
/* The thread that runs is about to do something that may be its first operation. */
void symmetry_call(const struct local *local);
/* The first operation of the thread that runs stores this. */
void symmetry_stores(uint64_t value);
/* The next step is this thread's. */
void symmetry_step_slow(thread_id thread);
/* The parent's step that creates it goes on; it stands before its first operation, or has ended. */
void symmetry_created_slow(thread_id child);
/* The thread was joined by the running one, which wants its result or does not. */
void symmetry_joined(thread_id thread, bool result);
/* A thread asked for its own identity, or a call names this one. */
void symmetry_named_slow(thread_id thread);
/* A race with what this thread did before: is it one only because threads are taken for each
 * other? */
bool symmetry_makes_race(thread_id earlier);
/* The thread that runs has taken a turn of a loop that did nothing, from this step on. */
void symmetry_forgets(uint32_t step);
void symmetry_thread_ends(void); /* the one that runs */
void symmetry_end(void);         /* the execution does */

static inline bool symmetry_is_on(void)
{
    return unlikely(rt.symmetry);
}

static inline void symmetry_created(thread_id child)
{
    if (symmetry_is_on())
        symmetry_created_slow(child);
}

static inline void symmetry_named(thread_id thread)
{
    if (symmetry_is_on())
        symmetry_named_slow(thread);
}

#endif
