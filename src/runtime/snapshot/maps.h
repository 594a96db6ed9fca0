/* What is mapped, from /proc. */
#ifndef RUNTIME_SNAPSHOT_MAPS_H
#define RUNTIME_SNAPSHOT_MAPS_H

#include <stdbool.h>

/* Calls visit for every private writable mapping. */
void maps_writable(void (*visit)(char *low, char *high, bool file));
bool maps_page_present(const char *page); /* it was ever touched */
unsigned maps_kernel_threads(void);       /* of this process */

#endif
