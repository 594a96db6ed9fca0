/* The search loop: plan, reset, execute, learn. It has a stack of its own and never returns. */
#ifndef RUNTIME_WORKER_WORKER_H
#define RUNTIME_WORKER_WORKER_H

#include <stdint.h>

void worker_run(void);

/* A change of the search between executions is one transaction, which ends with a new plan. */
void worker_change_begin(void);
void worker_change_end(void);

#endif
