/* Loops that look at something under a lock, again and again: a thread that comes back to a lock in the same
 * local state, having written nothing, while nobody else took a step, would go on like that until others
 * do. So it gives way to them. */
#ifndef RUNTIME_MEMORY_POLL_H
#define RUNTIME_MEMORY_POLL_H

#include "runtime/memory/local.h"
#include "runtime/runtime.h"

/* Before the calling thread announces that it takes a lock, if it has written nothing since the last. */
void poll_again(const struct local *local);
/* In the step in which it yields or times out. Whether it need not give way at once: it was where it is now, and it is
 * known what that means (memory/vain.h). */
bool poll_gave_way(const struct local *local, bool at_once);

#endif
