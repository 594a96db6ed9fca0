/* The search loop: plan, reset, execute, learn. It has a stack of its own and never returns. */
#ifndef RUNTIME_WORKER_H
#define RUNTIME_WORKER_H

void worker_run(void);

#endif
