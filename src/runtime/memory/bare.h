#ifndef RUNTIME_MEMORY_BARE_H
#define RUNTIME_MEMORY_BARE_H

#include <stdbool.h>
#include <stddef.h>

/* A compare-exchange of 1, 2, 4, 8 or 16 bytes; *expected becomes what was there. */
bool bare_exchange_if(volatile void *address, void *expected, const void *desired, size_t size);

#endif
