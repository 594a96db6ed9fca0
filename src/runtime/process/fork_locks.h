/* Locks in a child process. fork copies the memory of all threads, but only the thread that called
 * it: a lock that another thread held then is held forever in the child, because nobody there can
 * unlock it. Blocking on one is a misuse of fork, unless handlers of pthread_atfork have taken the
 * lock before and release it, or the child initialises it again.
 *
 * A child is not controlled, it runs libc's functions. So each lock it uses is first given the form
 * that libc expects (the model keeps its own state in there, with numbers of threads as owners). */
#ifndef RUNTIME_PROCESS_FORK_LOCKS_H
#define RUNTIME_PROCESS_FORK_LOCKS_H

#include "runtime/engine/runtime.h"

struct child;

enum child_use { /* what a function does with the lock that is its first argument */
                 CHILD_USES_NOTHING,
                 CHILD_LOCKS_MUTEX,
                 CHILD_TOUCHES_MUTEX, /* it never waits */
                 CHILD_READS_RWLOCK,
                 CHILD_WRITES_RWLOCK,
                 CHILD_TOUCHES_RWLOCK,
                 CHILD_LOCKS_SPIN,
};

/* Of the function of that name. Compilers know the answer. */
static inline __attribute__((always_inline)) enum child_use child_use_of(const char *name)
{
#define IS(other) (__builtin_strcmp(name, other) == 0)
    if (IS("pthread_mutex_lock") || IS("pthread_mutex_timedlock") ||
        IS("pthread_mutex_clocklock") || IS("mtx_lock") || IS("mtx_timedlock"))
        return CHILD_LOCKS_MUTEX;
    if (IS("pthread_mutex_trylock") || IS("pthread_mutex_unlock") || IS("mtx_trylock") ||
        IS("mtx_unlock"))
        return CHILD_TOUCHES_MUTEX;
    if (IS("pthread_rwlock_rdlock") || IS("pthread_rwlock_timedrdlock") ||
        IS("pthread_rwlock_clockrdlock"))
        return CHILD_READS_RWLOCK;
    if (IS("pthread_rwlock_wrlock") || IS("pthread_rwlock_timedwrlock") ||
        IS("pthread_rwlock_clockwrlock"))
        return CHILD_WRITES_RWLOCK;
    if (IS("pthread_rwlock_tryrdlock") || IS("pthread_rwlock_trywrlock") ||
        IS("pthread_rwlock_unlock"))
        return CHILD_TOUCHES_RWLOCK;
    return IS("pthread_spin_lock") ? CHILD_LOCKS_SPIN : CHILD_USES_NOTHING;
#undef IS
}

/* In a child: a function that is about to be called uses this lock. Where it would block forever,
 * the child notes that on the board and ends. */
void child_uses_lock(enum child_use use, void *lock, uintptr_t site);

/* In the parent, when a child has ended: true if it ended so. The finding was added. */
bool child_was_blocked(const struct child *child);

#endif
