/* A compressed file (zstd) with a checksum (xxHash): a line that says what the file is, one frame,
 * and the sum of all before it. A file with a wrong sum is not believed. */
#ifndef COORDINATOR_RECORD_PACKED_H
#define COORDINATOR_RECORD_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/problem.h"

struct packer { /* errors show as the file's error */
    FILE *file;
    struct ZSTD_CCtx_s *compressor;
    struct XXH3_state_s *sum;
    char *room;
    size_t room_size;
    bool (*stops)(void *context); /* whether to stop writing, called now and then; or NULL */
    void *context;
    bool stopped; /* `stops` returned true, so the file is useless */
};

void packer_open(struct packer *out, FILE *file, const char *line);
void packer_put(struct packer *packer, const void *bytes, size_t size);
void packer_close(struct packer *packer);

struct unpacker {
    const char *bytes, *path;
    size_t size, at, end; /* next byte to read; end of the frame */
    struct ZSTD_DCtx_s *decompressor;
};

struct unpacked_words { /* error messages, as whole sentences */
    const char *unreadable, *other, *damaged;
};

/* Opens a file that must begin with `line`. */
bool unpacker_open(struct unpacker *out, const char *path, const char *line,
                   const struct unpacked_words *words, struct problem *why);
/* false: the file is too short */
bool unpacker_get(struct unpacker *unpacker, void *bytes, size_t size);
void unpacker_close(struct unpacker *unpacker);

/* A checksum of the file's content; 0: the file cannot be read. */
uint64_t content_sum(int fd);

#endif
