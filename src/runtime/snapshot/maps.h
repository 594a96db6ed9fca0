/* What is mapped, from /proc. */
#ifndef RUNTIME_SNAPSHOT_MAPS_H
#define RUNTIME_SNAPSHOT_MAPS_H

#include <stdbool.h>
#include <stdint.h>

/* Calls visit for every private writable mapping. */
void maps_writable(void (*visit)(char *low, char *high, bool file));
/* Which of count pages from low on were ever touched. */
void maps_present(const char *low, uint32_t count, uint64_t *entries);

static inline bool maps_is_present(uint64_t entry)
{
    return entry >> 62 != 0;
}
unsigned maps_kernel_threads(void);       /* of this process */

#endif
