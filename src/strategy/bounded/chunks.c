#include "strategy/bounded/chunks.h"

#include <string.h>

void chunks_open(struct chunks *chunks, struct arena *arena, uint32_t streams,
                 struct journal *journal)
{
    enum { MARGIN = 16 }; /* arena_take() may skip bytes to align */
    *chunks = (struct chunks){.journal = journal};
    chunks->streams = arena_take(arena, streams * sizeof *chunks->streams);
    CHECK(arena->capacity - arena->used > MARGIN + 3 * CHUNK_BYTES);
    uint64_t size = arena->capacity - arena->used - MARGIN, capacity = size / CHUNK_BYTES - 1;
    /* Aligned chunks do not span two pages: there may be no memory for the second one. */
    uintptr_t first = (uintptr_t)arena_take(arena, size) + CHUNK_BYTES - 1;
    chunks->all = (struct chunk *)(first & ~(CHUNK_BYTES - 1ul));
    chunks->capacity = capacity < CHUNK_TOP ? (uint32_t)capacity : CHUNK_TOP;
    chunks->now.begun = journal->begun;
    chunks->now.used = chunks->now.held = 1;
    chunks->now.limit = chunks->capacity;
}

struct stream *chunks_stream(struct chunks *chunks, uint32_t number)
{
    struct stream *stream = &chunks->streams[number];
    if (stream->begun != chunks->journal->begun) {
        journal_save(chunks->journal, stream, sizeof *stream);
        stream->begun = chunks->journal->begun;
    }
    return stream;
}

static void chunk_save(struct chunks *chunks, struct chunk *chunk)
{
    journal_save(chunks->journal, chunk, sizeof *chunk);
    chunk->begun = chunks->journal->begun;
}

static void save(struct chunks *chunks)
{
    if (chunks->now.begun == chunks->journal->begun)
        return;
    journal_save(chunks->journal, &chunks->now, sizeof chunks->now);
    chunks->now.begun = chunks->journal->begun;
    chunks->now.held = chunks->now.used;
}

void chunks_are_full(struct chunks *chunks)
{
    enum { SLACK = 8 }; /* one part in so many is left for moves between streams */
    save(chunks);
    chunks->now.limit = chunks->now.used - chunks->now.used / SLACK;
}

void chunks_lose(struct chunks *chunks, uint64_t count)
{
    save(chunks);
    chunks->now.lost += count;
}

static struct chunk_links *links_of(struct chunks *chunks, uint32_t which)
{
    struct chunk *chunk = &chunks->all[which];
    if (chunk->begun != chunks->journal->begun) /* otherwise the chunk is saved, or new */
        journal_save(chunks->journal, &chunk->links, sizeof chunk->links);
    return &chunk->links;
}

/* Saves a chunk that existed when the transaction began; a new one needs no saving. */
static struct chunk *chunk_claim(struct chunks *chunks, uint32_t which)
{
    struct chunk *chunk = &chunks->all[which];
    if (which >= chunks->now.held)
        chunk->begun = chunks->journal->begun;
    else if (chunk->begun != chunks->journal->begun)
        chunk_save(chunks, chunk);
    return chunk;
}

static void add(struct chunks *chunks, uint32_t number)
{
    struct stream *stream = chunks_stream(chunks, number);
    save(chunks);
    CHECK(chunks->now.used < chunks->capacity);
    uint32_t which = chunks->now.used++;
    chunk_claim(chunks, which)->links =
        (struct chunk_links){.below = stream->chunk, .above = CHUNK_TOP | number};
    if (stream->chunk != 0)
        links_of(chunks, stream->chunk)->above = which;
    stream->chunk = which;
    stream->fill = 0;
}

/* Moves the last chunk of all into a hole, and redirects the links to it. */
static void fill_hole(struct chunks *chunks, uint32_t hole, uint32_t last)
{
    struct chunk *chunk = chunk_claim(chunks, hole);
    *chunk = chunks->all[last];
    chunk->begun = chunks->journal->begun;
    struct chunk_links links = chunk->links;
    if (links.below != 0)
        links_of(chunks, links.below)->above = hole;
    if (links.above & CHUNK_TOP)
        chunks_stream(chunks, links.above & ~CHUNK_TOP)->chunk = hole;
    else
        links_of(chunks, links.above)->below = hole;
}

static void drop(struct chunks *chunks, uint32_t number)
{
    struct stream *stream = chunks_stream(chunks, number);
    CHECK(stream->chunk != 0);
    save(chunks);
    uint32_t hole = stream->chunk, below = chunks->all[hole].links.below;
    stream->chunk = below;
    stream->fill = below != 0 ? CHUNK_ROOM : 0;
    if (below != 0)
        links_of(chunks, below)->above = CHUNK_TOP | number;
    uint32_t last = --chunks->now.used;
    if (hole != last)
        fill_hole(chunks, hole, last);
}

void chunks_clear(struct chunks *chunks, uint32_t number)
{
    while (chunks->streams[number].chunk != 0)
        drop(chunks, number);
}

/* Copies bytes. The loops of known width are faster than a call, since counts are small as a
 * rule. */
static void copy(uint8_t *to, const uint8_t *from, uint32_t count)
{
    for (; count >= 8; count -= 8, to += 8, from += 8)
        memcpy(to, from, 8);
    for (; count > 0; count--)
        *to++ = *from++;
}

void chunks_put(struct chunks *chunks, uint32_t number, const uint8_t *bytes, uint32_t count)
{
    struct stream *stream = &chunks->streams[number];
    while (count > 0) {
        if (stream->chunk == 0 || stream->fill == CHUNK_ROOM)
            add(chunks, number);
        struct chunk *chunk = &chunks->all[stream->chunk];
        if (chunk->begun != chunks->journal->begun)
            chunk_save(chunks, chunk);
        uint32_t part = CHUNK_ROOM - stream->fill < count ? CHUNK_ROOM - stream->fill : count;
        copy(chunk->bytes + stream->fill, bytes, part);
        stream->fill += part;
        bytes += part;
        count -= part;
    }
}

void taker_next_chunk(struct taker *taker)
{
    drop(taker->chunks, taker->number);
    *taker = taker_begin(taker->chunks, taker->number);
}
