/* A file of bytes that are compressed (zstd) and guarded by a checksum (xxHash): a line that says
 * what it is, one frame, and the sum of all before it. It is believed only if the sum is right. */
#ifndef COORDINATOR_PACKED_H
#define COORDINATOR_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/problem.h"

struct packer { /* what goes wrong shows as the file's error */
    FILE *file;
    struct ZSTD_CCtx_s *compressor;
    struct XXH3_state_s *sum;
    char *room;
    size_t room_size;
    bool (*stops)(void *context); /* whether to write no more, asked now and then; or NULL */
    void *context;
    bool stopped; /* so what was written is of no use */
};

void packer_open(struct packer *out, FILE *file, const char *line);
void packer_put(struct packer *packer, const void *bytes, size_t size);
void packer_close(struct packer *packer);

struct unpacker {
    const char *bytes, *path;
    size_t size, at, end; /* the frame ends there */
    struct ZSTD_DCtx_s *decompressor;
};

struct unpacked_words { /* whole sentences, for what cannot be */
    const char *unreadable, *other, *damaged;
};

/* `line` is what the file must begin with. */
bool unpacker_open(struct unpacker *out, const char *path, const char *line,
                   const struct unpacked_words *words, struct problem *why);
bool unpacker_get(struct unpacker *unpacker, void *bytes, size_t size); /* false: it is too short */
void unpacker_close(struct unpacker *unpacker);

/* A sum of what a file holds; 0: it cannot be read. */
uint64_t content_sum(int fd);

#endif
