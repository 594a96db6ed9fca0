/* Long executions are watched now and then: does one come back to a state in which it was before?
 * Then it is in a loop, whatever that is made of.
 *
 * The state is taken when a thread announces an operation. It is what all threads are about to do,
 * each in what local state, and all memory of the program, also that of libc and of code without
 * instrumentation. What is in the program's own files is part of it, and how far off deadlines are.
 * What lies elsewhere (the kernel's files, mappings, processes, the clock) is not compared: each
 * operation that looks at it, or changes it otherwise than by writing to a file, makes all later
 * states unlike the earlier ones. */
#ifndef RUNTIME_PROGRESS_WATCH_H
#define RUNTIME_PROGRESS_WATCH_H

#include "runtime/engine/runtime.h"

/* Where the calling thread is, while it runs a handler; false: nobody wants to know. */
struct watch_place {
    uint64_t place;
    uintptr_t site, frame;
};
bool watch_keep(struct watch_place *out);
void watch_put_back(const struct watch_place *kept);
void watch_timer(void); /* one has expired while all orders are tried */

#endif
