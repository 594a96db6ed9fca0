/* Continues an execution after a failure: steps that the other threads would have taken. */
#ifndef RUNTIME_WORKER_AFTERMATH_H
#define RUNTIME_WORKER_AFTERMATH_H

#include <stdbool.h>

void aftermath_open(void); /* a worker comes up */

#endif
