/* The deterministic heap: addresses depend only on the allocating thread's own history. Each thread
 * has its own range, handed out from its beginning; nothing is used again within an execution, so
 * a use after free is always seen. Fresh memory is zero. */
#ifndef RUNTIME_HEAP_HEAP_H
#define RUNTIME_HEAP_HEAP_H

#include "runtime/runtime.h"

struct heap_block {
    void *start;
    size_t size;
    uint64_t site;   /* where it was allocated */
    uint32_t thread; /* by whom; HEAP_SETUP: before the program began */
    uint32_t number; /* that thread's how-manieth allocation, from 1 */
    bool freed;
};
enum { HEAP_SETUP = THREADS_MAX };

bool heap_open(void); /* maps the ranges; false: no room */
void *heap_take(size_t size, size_t alignment, uintptr_t site); /* NULL: no room */
bool heap_owns(const void *address);
uint32_t heap_owner(const void *address); /* thread whose range it is in; HEAP_SETUP or more: none */
char *heap_start(uint32_t thread);
char *heap_end(uint32_t thread);          /* first byte not handed out */
bool heap_find(const void *address, struct heap_block *block); /* the block around an address */

enum heap_free { HEAP_FREED, HEAP_NOT_A_BLOCK, HEAP_FREED_BEFORE };
enum heap_free heap_give(void *start);    /* marks it freed */
size_t heap_size(const void *start);      /* of a block that heap_take returned */

#endif
