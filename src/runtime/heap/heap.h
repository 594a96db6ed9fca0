/* The deterministic heap: addresses depend only on the allocating thread's own history. Each thread
 * has its own range, handed out from its beginning; nothing is used again within an execution, so
 * a use after free is always seen. Fresh memory is zero.
 *
 * Before each block lies a header, behind it a tail: both are checked when the block is freed.
 * Where blocks begin is also kept out of the program's reach, in an index for each range. */
#ifndef RUNTIME_HEAP_HEAP_H
#define RUNTIME_HEAP_HEAP_H

#include "runtime/engine/runtime.h"

enum heap_way { /* how it was allocated */
                HEAP_MALLOC,
                HEAP_NEW,
                HEAP_NEW_ARRAY,
                HEAP_OWN, /* by a model: what the program has of it is a descriptor, or nothing */
                HEAP_WAYS,
};

struct heap_block {
    void *start;
    size_t size;
    uint64_t site;   /* where it was allocated */
    uint32_t thread; /* by whom; HEAP_SETUP: before the program began */
    uint32_t number; /* that thread's how-manieth allocation, from 1 */
    enum heap_way way;
    bool freed;
};
enum { HEAP_SETUP = THREADS_MAX };

bool heap_open(void); /* maps the ranges; false: no room */
void *heap_take(size_t size, size_t alignment, uintptr_t site);     /* NULL: no room */
void *heap_take_own(size_t size, size_t alignment, uintptr_t site); /* a block for a model */
void heap_set_way(void *start, enum heap_way way); /* of a block that heap_take returned */
enum heap_way heap_way(const void *start);         /* of one that can be freed */
bool heap_owns(const void *address);
char *heap_end(uint32_t thread); /* first byte not handed out */

/* The block around an address, or around the header or tail there. false: none, or its header was
 * overwritten. */
bool heap_find(const void *address, struct heap_block *block);

enum heap_state {
    HEAP_ALIVE,
    HEAP_NOT_A_BLOCK,
    HEAP_FREED_BEFORE,
    HEAP_HEADER_BROKEN, /* the program wrote over the header */
    HEAP_TAIL_BROKEN,   /* the program wrote over what follows the block */
};
enum heap_state heap_state(const void *start); /* can it be freed? */
void heap_give(void *start);                   /* marks a living one freed */
size_t heap_size(const void *start);           /* of a block that heap_take returned */
uint32_t heap_blocks(uint32_t thread);         /* how many blocks there are */
bool heap_nth(uint32_t thread, uint32_t number, struct heap_block *block); /* number: from 1 */

/* An access to the heap that is not known to be right: a finding if no block has all of it. */
void heap_look(const void *address, size_t size, bool writes, uint64_t site);

void heap_fill_unset(void *block, size_t size); /* a fresh block, where reads of it count */
void heap_look_unset(const void *address, size_t size, uint64_t site);
enum { HEAP_MARKS_SHARE = 64 }; /* one byte for the least that a block takes */
void leaks_look(void);          /* the program ends: findings for what nothing points to */

#define HEAPS_SPAN (HEAPS_ADDRESS + (uintptr_t)THREADS_MAX * HEAP_SIZE - SETUP_HEAP_ADDRESS)

static inline bool heap_is_near(const volatile void *address)
{
    return (uintptr_t)address - SETUP_HEAP_ADDRESS < HEAPS_SPAN;
}

#endif
