/* Signals that end an execution: crashes, and the coordinator's word that it hangs. */
#ifndef RUNTIME_SIGNALS_H
#define RUNTIME_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

enum { SIGNAL_HANG = 23 }; /* SIGURG: the coordinator saw no step for too long */

void signals_open(void);
void signals_stack(uint32_t thread); /* gives the calling kernel thread a stack for handlers */
bool signal_is_ours(int number);

#endif
