/* The output of a program, as size and hash: enough to compare it. */
#ifndef CORE_WRITTEN_H
#define CORE_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

struct written {
    uint64_t size; /* NOT_WRITTEN: there is no such file */
    uint64_t hash;
};
#define NOT_WRITTEN (~0ul)

/* Reads the whole file from its beginning and keeps the file position. Returns 0 or an errno
 * value. */
int written_read(struct written *out, int file);

static inline bool written_same(const struct written *a, const struct written *b)
{
    return a->size == b->size && a->hash == b->hash;
}

#endif
