/* One execution, in this process or in a child of it. */
#ifndef RUNTIME_WORKER_EXECUTE_H
#define RUNTIME_WORKER_EXECUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "detector/race.h"

#define GENERATION_LAST (UINT32_MAX - 4 * RACE_SETUPS)

/* Runs the schedule in flight, and keeps its steps in this one of the two buffers. */
void worker_execute(uint32_t steps_buffer);

bool execution_resets(void); /* the next one begins in this process */
/* The coordinator says that the one in flight killed its process twice: it is a finding. */
void execution_is_poisoned(void);

#endif
