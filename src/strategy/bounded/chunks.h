/* Many stacks of bytes (streams) in one memory range without holes. Each stream consists of chunks.
 * A chunk that is no longer needed is filled with the last chunk of all. So streams take the memory
 * of their contents, and at most one chunk more each.
 *
 * Chunks and streams save themselves in the journal. */
#ifndef STRATEGY_CHUNKS_H
#define STRATEGY_CHUNKS_H

#include "base/arena.h"
#include "core/journal.h"

enum { CHUNK_BYTES = 256, CHUNK_ROOM = CHUNK_BYTES - 16 };

struct chunk {
    uint64_t begun; /* the last transaction that changed the bytes */
    struct chunk_links {
        uint32_t below; /* next lower chunk of its stream; 0: this is the lowest */
        /* Next higher chunk; CHUNK_TOP + the stream's number: this is the uppermost. */
        uint32_t above;
    } links;
    uint8_t bytes[CHUNK_ROOM];
};
_Static_assert(sizeof(struct chunk) == CHUNK_BYTES, "there are many of them");

#define CHUNK_TOP (1u << 31)

struct stream { /* A stack of bytes. */
    uint64_t begun;
    uint64_t count; /* number of items, for the stream's owner */
    uint32_t chunk; /* uppermost chunk; 0: none */
    uint32_t fill;  /* bytes in the uppermost chunk; the other chunks are full */
};

struct chunks {
    struct journal *journal;
    struct chunk *all; /* numbered from 1 */
    uint32_t capacity;
    struct stream *streams;
    struct {
        uint64_t begun;
        /* all[1..used) are in use; all[1..held) were when transaction `begun` began. */
        uint32_t used, held;
        uint32_t limit; /* chunks from this number on are not used, for want of memory */
        uint64_t lost;  /* number of items that found no memory */
    } now;
};

/* Opens so many empty streams. Takes all that is left of the arena: memory that is not touched
 * costs nothing. */
void chunks_open(struct chunks *chunks, struct arena *arena, uint32_t streams,
                 struct journal *journal);
/* Declares that there is no memory for more chunks. Further items are lost until chunks become
 * free. */
void chunks_are_full(struct chunks *chunks);
void chunks_lose(struct chunks *chunks, uint64_t count);

static inline bool chunks_have_room(const struct chunks *chunks, uint64_t bytes)
{
    return chunks->now.used + bytes / CHUNK_ROOM + 2 <= chunks->now.limit;
}

/* Makes a stream changeable until the transaction ends; the functions below need that. */
struct stream *chunks_stream(struct chunks *chunks, uint32_t number);
void chunks_clear(struct chunks *chunks, uint32_t number);

static inline uint64_t chunks_bytes(const struct chunks *chunks)
{
    return (chunks->now.used - 1ul) * CHUNK_BYTES;
}

/* Puts bytes on top of a stream; the last byte is the uppermost. */
void chunks_put(struct chunks *chunks, uint32_t number, const uint8_t *bytes, uint32_t count);

/* Takes bytes off a stream, the uppermost first. taker_end() makes that take effect. */
struct taker {
    struct chunks *chunks;
    uint32_t number;
    uint32_t fill; /* bytes left in the uppermost chunk */
    const uint8_t *bytes;
};

void taker_next_chunk(struct taker *taker);

static inline struct taker taker_begin(struct chunks *chunks, uint32_t number)
{
    const struct stream *stream = &chunks->streams[number];
    return (struct taker){chunks, number, stream->fill, chunks->all[stream->chunk].bytes};
}

static inline uint8_t taker_take(struct taker *taker)
{
    if (taker->fill == 0)
        taker_next_chunk(taker);
    return taker->bytes[--taker->fill];
}

static inline void taker_end(const struct taker *taker)
{
    taker->chunks->streams[taker->number].fill = taker->fill;
}

#endif
