/* Calls whose effect POSIX leaves undefined: a finding, and the execution goes on
 * as it would with libc. A call that POSIX answers with an error is none. */
#ifndef RUNTIME_ENGINE_MISUSE_H
#define RUNTIME_ENGINE_MISUSE_H

#include "runtime/engine/runtime.h"

/* Left in an object by a call that initialises or destroys it. The program may overwrite it, with a
 * static initialiser for instance: then nothing is known of the object any more. */
#define MARK_BEGUN 0x62656775bead0001ul
#define MARK_ENDED 0x656e6465dead0002ul

#define MUTEX_NOUN     "a mutex"
#define COND_NOUN      "a condition variable"
#define RWLOCK_NOUN    "a read-write lock"
#define SPIN_NOUN      "a spin lock"
#define BARRIER_NOUN   "a barrier"
#define SEMAPHORE_NOUN "a semaphore"

/* As in "a mutex", "is unlocked by a thread that does not hold it"; the other one has to do with
 * it, at a place of its own if that is known (0: it is not). */
void misuse(const char *noun, const char *what, const void *object, uintptr_t site);
void misuse_with(const char *noun, const char *what, const void *object, uintptr_t site,
                 thread_id other, uintptr_t other_site);

/* A child process locks what another thread held when it was forked (process/fork_locks.h). */
struct finding *misuse_in_child(const char *noun, const void *object, uintptr_t site);

/* The object bears the mark of its end, or is like none that was ever initialised. */
void misuse_of_dead(const char *noun, const void *object, uintptr_t site);

/* Memory ends, for example by free: a lock in it that a thread holds is misused. */
void misuse_of_locked(const void *start, size_t size, const char *what, uintptr_t site);

/* Initialised; marked: it bears the mark of an earlier time. */
void life_begin(const char *noun, const void *object, bool marked, uintptr_t site);
/* Destroyed; marked: it bears the mark of its end already. */
void life_end(const char *noun, const void *object, bool marked, uintptr_t site);

/* Of all that is known of lives; `word` says how an address counts. */
uint64_t lives_digest(uint64_t (*word)(uint64_t));

/* The program ends: warnings for what it has not destroyed, and for threads that still run. */
void misuse_at_end(void);

#endif
