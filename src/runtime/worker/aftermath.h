/* What the other threads would have done after a failure. */
#ifndef RUNTIME_WORKER_AFTERMATH_H
#define RUNTIME_WORKER_AFTERMATH_H

#include <stdbool.h>

void aftermath_open(void); /* a worker comes up */

#endif
