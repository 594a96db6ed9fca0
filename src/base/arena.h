/* An arena: a memory range that is handed out from its beginning. Nothing is ever freed singly. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"

struct arena {
    char *bytes;
    size_t used, capacity;
};

/* The bytes are zero if the range was. */
static inline void *arena_take(struct arena *arena, size_t size)
{
    size_t at = (arena->used + 15) & ~(size_t)15;
    CHECK(size <= arena->capacity && at <= arena->capacity - size);
    arena->used = at + size;
    return arena->bytes + at;
}

#endif
