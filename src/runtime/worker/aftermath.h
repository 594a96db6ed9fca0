/* What the other threads would have done after a failure. */
#ifndef RUNTIME_WORKER_AFTERMATH_H
#define RUNTIME_WORKER_AFTERMATH_H

#include <stdbool.h>

void aftermath_open(void); /* a worker comes up */
/* The calling thread has failed, and the end of the execution is written down: lets the other
 * threads run on if that can show anything. Returns if it cannot. */
void aftermath_begin(void);
/* The execution ends. True: it had ended before, and what was written down then holds. */
bool aftermath_ends(void);

#endif
