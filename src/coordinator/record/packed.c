#define _GNU_SOURCE
#include "coordinator/record/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/assert.h"

enum { LEVEL = 1, PIECE = 1 << 16 };

static void write_out(struct packer *packer, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    XXH3_64bits_update(packer->sum, bytes, size);
    fwrite(bytes, 1, size, packer->file);
}

void packer_open(struct packer *out, FILE *file, const char *line)
{
    *out = (struct packer){.file = file,
                           .compressor = ZSTD_createCCtx(),
                           .sum = XXH3_createState(),
                           .room_size = ZSTD_CStreamOutSize()};
    out->room = malloc(out->room_size);
    CHECK(out->compressor != NULL && out->sum != NULL && out->room != NULL);
    CHECK(XXH3_64bits_reset(out->sum) == XXH_OK);
    CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(out->compressor, ZSTD_c_compressionLevel, LEVEL)));
    write_out(out, line, strlen(line));
}

static void compress(struct packer *packer, const void *bytes, size_t size, ZSTD_EndDirective how)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    while (!packer->stopped) {
        ZSTD_outBuffer out = {packer->room, packer->room_size, 0};
        size_t left = ZSTD_compressStream2(packer->compressor, &out, &in, how);
        CHECK(!ZSTD_isError(left));
        write_out(packer, packer->room, out.pos);
        packer->stopped = packer->stops != NULL && packer->stops(packer->context);
        if (how == ZSTD_e_continue ? in.pos == in.size : left == 0)
            return;
    }
}

void packer_put(struct packer *packer, const void *bytes, size_t size)
{
    compress(packer, bytes, size, ZSTD_e_continue);
}

void packer_close(struct packer *packer)
{
    compress(packer, NULL, 0, ZSTD_e_end);
    XXH64_hash_t sum = XXH3_64bits_digest(packer->sum);
    fwrite(&sum, sizeof sum, 1, packer->file);
    ZSTD_freeCCtx(packer->compressor);
    XXH3_freeState(packer->sum);
    free(packer->room);
}

static bool refuse(struct unpacker *unpacker, const char *what, struct problem *why)
{
    problem_is(why, what, unpacker->path, 0);
    unpacker_close(unpacker);
    return false;
}

bool unpacker_open(struct unpacker *out, const char *path, const char *line,
                   const struct unpacked_words *words, struct problem *why)
{
    *out = (struct unpacker){.path = path};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0 || S_ISDIR(about.st_mode)) {
        problem_is(why, words->unreadable, path, fd < 0 ? errno : EISDIR);
        if (fd >= 0)
            close(fd);
        return false;
    }
    size_t head = strlen(line), size = (size_t)about.st_size;
    XXH64_hash_t sum;
    void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED)
        return problem_is(why, words->other, path, 0);
    out->bytes = bytes;
    out->size = size;
    if (size < head || memcmp(bytes, line, head) != 0)
        return refuse(out, words->other, why);
    if (size < head + sizeof sum)
        return refuse(out, words->damaged, why);
    memcpy(&sum, out->bytes + size - sizeof sum, sizeof sum);
    if (XXH3_64bits(out->bytes, size - sizeof sum) != sum)
        return refuse(out, words->damaged, why);
    out->at = head;
    out->end = size - sizeof sum;
    out->decompressor = ZSTD_createDCtx();
    CHECK(out->decompressor != NULL);
    return true;
}

bool unpacker_get(struct unpacker *unpacker, void *bytes, size_t size)
{
    ZSTD_outBuffer out = {bytes, size, 0};
    ZSTD_inBuffer in = {unpacker->bytes, unpacker->end, unpacker->at};
    while (out.pos < out.size) {
        size_t before = out.pos, taken = in.pos;
        size_t left = ZSTD_decompressStream(unpacker->decompressor, &out, &in);
        if (ZSTD_isError(left) || (out.pos == before && in.pos == taken))
            return false;
    }
    unpacker->at = in.pos;
    return true;
}

void unpacker_close(struct unpacker *unpacker)
{
    if (unpacker->bytes != NULL)
        munmap((void *)unpacker->bytes, unpacker->size);
    ZSTD_freeDCtx(unpacker->decompressor);
    *unpacker = (struct unpacker){0};
}

uint64_t content_sum(int fd)
{
    static char bytes[PIECE];
    XXH3_state_t *sum = XXH3_createState();
    CHECK(sum != NULL);
    CHECK(XXH3_64bits_reset(sum) == XXH_OK);
    off_t at = 0;
    ssize_t got;
    while ((got = pread(fd, bytes, sizeof bytes, at)) > 0) {
        XXH3_64bits_update(sum, bytes, (size_t)got);
        at += got;
    }
    XXH64_hash_t result = XXH3_64bits_digest(sum);
    XXH3_freeState(sum);
    return got < 0 ? 0 : result;
}
