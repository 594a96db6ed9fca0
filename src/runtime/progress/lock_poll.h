/* Loops that look at something under a lock, again and again: a thread that comes back to a lock in
 * the same local state, having written nothing, while nobody else took a step, would go on like
 * that until others do. So it gives way to them. */
#ifndef RUNTIME_PROGRESS_LOCK_POLL_H
#define RUNTIME_PROGRESS_LOCK_POLL_H

#include "runtime/arch/x86_64/local.h"
#include "runtime/engine/runtime.h"

/* Before the calling thread announces that it takes a lock, if it has written nothing since the
 * last. */
void poll_again(const struct local *local);
/* lock_poll for a call that gives way or may time out, where it is known what comes of a loop
 * (progress/vain.h). Of one that sleeps on a condition variable that shows only when it has given
 * back the mutex: whether it is known. */
enum poll_call { POLL_YIELDS, POLL_TIMED, POLL_SLEEPS };
void poll_enter(const struct local *local, enum poll_call call);
bool poll_slept(void);

#endif
