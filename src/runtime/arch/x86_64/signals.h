/* Returning from signals, and reading memory that may not be there. */
#ifndef RUNTIME_ARCH_X86_64_SIGNALS_H
#define RUNTIME_ARCH_X86_64_SIGNALS_H

#include <stdbool.h>

bool memory_probe(const void *at) __attribute__((visibility("hidden"))); /* it can be read */
/* Where memory_probe goes on if its first instruction fails: see time/kernel_signals.c. */
void memory_probe_fails(void) __attribute__((visibility("hidden")));

void signal_return(void)
    __attribute__((visibility("hidden"))); /* the end of a handler, for the kernel */
/* signal_enter with the frame that the kernel left on the stack, at its new place. */
_Noreturn void signal_leave(void *frame) __attribute__((visibility("hidden")));

#endif
