/* A hash of the contents of the program's memory: all that is writable but for the
 * stacks of threads. */
#ifndef RUNTIME_SNAPSHOT_DIGEST_H
#define RUNTIME_SNAPSHOT_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

struct digest; /* what is mapped */

struct digest *
digest_begin(void); /* lives as long as the execution; what is mapped later is not seen */
/* 0: there is too much of it. What was looked at is taken off the number of pages. */
uint64_t digest_memory(struct digest *digest, uint64_t *pages_left);
uint64_t digest_range(const char *low, const char *high); /* 0: nothing but zeros */

#endif
