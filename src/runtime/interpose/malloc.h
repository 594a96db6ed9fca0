/* malloc and its family. */
#ifndef RUNTIME_INTERPOSE_MALLOC_H
#define RUNTIME_INTERPOSE_MALLOC_H

#include "runtime/heap/heap.h"

void *malloc_at(size_t size, uintptr_t site);         /* malloc, called there */
void malloc_called(const char *name, uintptr_t site); /* the program calls it for our heap */
void *malloc_again(void *block, size_t size, uintptr_t site);
void malloc_give(void *block, enum heap_way way, uintptr_t site);
void operators_find(void); /* whether the program has its own */
size_t malloc_size(void *block);

#endif
