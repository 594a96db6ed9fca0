/* Long executions are watched now and then: does one come back to a state in which it was before? Then it
 * goes round a loop, whatever that is made of.
 *
 * The state is taken when a thread announces an operation. It is what all threads are about to do, each in
 * what local state, and all memory of the program, also that of libc and of code without instrumentation.
 * What lies elsewhere (files, processes, signals, timers, the clock if somebody looks at it) has changed
 * for good as soon as an operation changes it. */
#ifndef RUNTIME_MEMORY_WATCH_H
#define RUNTIME_MEMORY_WATCH_H

#include "runtime/memory/local.h"
#include "runtime/runtime.h"

void watch_open(void);  /* a new execution */
void watch_begin(void); /* ex.due has come, and the steps are not at their end */
void watch_end(void);
void watch_call(const struct local *local); /* the program calls us: its thread may announce something */
void watch_operation(void);                 /* … does */
void watch_outside(void); /* something changes that is no memory of the program's */

#endif
