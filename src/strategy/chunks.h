/* Many stacks of bytes in one range of memory without holes: each has a few chunks of it, and where
 * one is no longer needed the last of all takes its place. So they take what is in them, and at
 * most a chunk more each.
 *
 * Chunks and streams save themselves in the journal. */
#ifndef STRATEGY_CHUNKS_H
#define STRATEGY_CHUNKS_H

#include "base/arena.h"
#include "core/journal.h"

enum { CHUNK_BYTES = 256, CHUNK_ROOM = CHUNK_BYTES - 16 };

struct chunk {
    uint64_t begun; /* the last transaction that changed its bytes */
    struct chunk_links {
        uint32_t below; /* the next one of its stream, 0: it is the lowest */
        uint32_t above; /* … if it is not the uppermost: then CHUNK_TOP + the stream's number */
    } links;
    uint8_t bytes[CHUNK_ROOM];
};
_Static_assert(sizeof(struct chunk) == CHUNK_BYTES, "there are many of them");

#define CHUNK_TOP (1u << 31)

struct stream { /* a stack of bytes */
    uint64_t begun;
    uint64_t count; /* of what its owner has put there */
    uint32_t chunk; /* the uppermost, 0: there is none, … */
    uint32_t fill;  /* … and bytes in it; the others are full */
};

struct chunks {
    struct journal *journal;
    struct chunk *all; /* from 1 on */
    uint32_t capacity;
    struct stream *streams;
    struct {
        uint64_t begun;
        uint32_t used, held; /* all[1..used) are somebody's; so were all[1..held) when that began */
        uint32_t limit;      /* nothing is added beyond, since there is no memory for it … */
        uint64_t lost;       /* … so many that were to be put there are lost */
    } now;
};

/* So many streams, all empty. Takes all that is left of the arena: what is not touched costs
 * nothing. */
void chunks_open(struct chunks *chunks, struct arena *arena, uint32_t streams,
                 struct journal *journal);
/* There is no memory for any more: what is to be put there is lost until some of it is free
 * again. */
void chunks_are_full(struct chunks *chunks);
void chunks_lose(struct chunks *chunks, uint64_t count);

static inline bool chunks_have_room(const struct chunks *chunks, uint64_t bytes)
{
    return chunks->now.used + bytes / CHUNK_ROOM + 2 <= chunks->now.limit;
}

/* A stream that can be changed until the transaction ends: what follows is for such. */
struct stream *chunks_stream(struct chunks *chunks, uint32_t number);
void chunks_clear(struct chunks *chunks, uint32_t number);

static inline uint64_t chunks_bytes(const struct chunks *chunks)
{
    return (chunks->now.used - 1ul) * CHUNK_BYTES;
}

/* Upon the others, the last byte uppermost. */
void chunks_put(struct chunks *chunks, uint32_t number, const uint8_t *bytes, uint32_t count);

/* Takes bytes off, the uppermost first; what it has taken shows when it is done. */
struct taker {
    struct chunks *chunks;
    uint32_t number;
    uint32_t fill; /* of the uppermost, … */
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
