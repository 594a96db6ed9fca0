/* Signals of the kernel: crashes, broken pipes, and the coordinator's word that an execution hangs.
 * They end it, unless the program has a handler for them. Those that it sends itself are in
 * time/. */
#ifndef RUNTIME_TIME_KERNEL_SIGNALS_H
#define RUNTIME_TIME_KERNEL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

void signals_open(void);
void signals_stack(uint32_t thread); /* gives the calling kernel thread a stack for handlers */
void signal_found(int number, struct sigaction *action); /* what the process was started with */

#endif
