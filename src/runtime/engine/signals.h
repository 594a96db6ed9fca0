/* Signals of the kernel: crashes, broken pipes, and the coordinator's word that an execution hangs.
 * They end it, unless the program has a handler for them. Those that it sends itself are in
 * time/. */
#ifndef RUNTIME_ENGINE_SIGNALS_H
#define RUNTIME_ENGINE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { SIGNAL_HANG = 23 }; /* SIGURG: the coordinator saw no step for too long */

bool memory_probe(const void *at) __attribute__((visibility("hidden"))); /* it can be read */
void signals_open(void);
void signals_stack(uint32_t thread); /* gives the calling kernel thread a stack for handlers */
void signal_found(int number, struct sigaction *action); /* what the process was started with */

#endif
