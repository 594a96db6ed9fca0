/* Keeps pending work in a file instead of memory (--memory). The file has no name from the
 * beginning, so that it disappears with the last process that uses it, however that ends. */
#ifndef COORDINATOR_WORKER_SPILL_FILE_H
#define COORDINATOR_WORKER_SPILL_FILE_H

#include <stdint.h>

#include "base/problem.h"

/* Maps a new file, all zero, in place of this memory. The file is in TMPDIR, or /var/tmp. */
bool spill_open(int *fd, void *memory, uint64_t size, struct problem *why);

#endif
