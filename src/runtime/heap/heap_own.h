/* State of the folder heap/, kept for each thread and each execution. */
#ifndef RUNTIME_HEAP_HEAP_OWN_H
#define RUNTIME_HEAP_HEAP_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_heap {
    uint32_t allocations;
    char *heap_end;
};

struct execution_heap {
    struct {
        uintptr_t start;
        size_t size;
    } block; /* of the heap, that an access was found to be in last */
};

#endif
