/* Copying and clearing memory of which most was never touched: pages that the kernel has not given
 * out yet are zero, and stay so. */
#ifndef RUNTIME_HEAP_SPARSE_H
#define RUNTIME_HEAP_SPARSE_H

#include <stddef.h>

void sparse_copy(char *to, const char *from, size_t size); /* `to` holds zeros */
void sparse_clear(char *at, size_t size);

#endif
