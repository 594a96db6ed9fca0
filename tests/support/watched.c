#include "support/watched.h"

#include <string.h>

#include "base/assert.h"

enum { ARENA_BYTES = 1 << 18, CELLS = WATCHED_BYTES / GRANULE };

static _Alignas(16) char memory[WATCHED_BYTES]; /* only its addresses matter */
static struct cell cells[CELLS];

static struct execution { /* what a checkpoint copies */
    struct race race;
    struct sync syncs[WATCHED_BYTES];
    struct uses uses[CELLS];
    size_t used;
    _Alignas(16) char arena[ARENA_BYTES];
} now, kept;

static struct {
    struct cell *cell, content;
} undo[CELLS];
static uint32_t undo_count, generation, setups[RACE_SETUPS];

struct race watched;
struct told told[TOLD_MAX];
uint32_t told_count;

static void *take(size_t size)
{
    size_t at = (now.used + 15) & ~15ul;
    CHECK(at + size <= ARENA_BYTES);
    now.used = at + size;
    memset(now.arena + at, 0, size);
    return now.arena + at;
}

static void keep(struct cell *cell)
{
    CHECK(undo_count < CELLS);
    undo[undo_count].cell = cell;
    undo[undo_count++].content = *cell;
}

static struct uses *uses_of(const void *address, const struct cell *cell)
{
    (void)address;
    return &now.uses[cell - cells];
}

static void note(const struct race_place *earlier, const void *address, uint8_t size, bool writes,
                 bool atomic, bool after_free, uint64_t site)
{
    CHECK(told_count < TOLD_MAX);
    told[told_count++] = (struct told){.earlier = *earlier,
                                       .offset = (uint32_t)((const char *)address - memory),
                                       .size = size,
                                       .writes = writes,
                                       .atomic = atomic,
                                       .after_free = after_free,
                                       .site = site};
}

static void on_race(const struct race_place *earlier, const void *address, uint8_t size,
                    bool writes, bool atomic, uint64_t site)
{
    note(earlier, address, size, writes, atomic, false, site);
}

static void on_use_after_free(const struct race_place *freed, const void *address, uint8_t size,
                              bool writes, bool atomic, uint64_t site)
{
    note(freed, address, size, writes, atomic, true, site);
}

void watched_clear(void)
{
    memset(cells, 0, sizeof cells);
    generation = undo_count = 0;
    memset(setups, -1, sizeof setups);
}

void watched_open(uint32_t threads)
{
    while (undo_count > 0) {
        undo_count--;
        *undo[undo_count].cell = undo[undo_count].content;
    }
    memset(now.syncs, 0, sizeof now.syncs);
    memset(now.uses, 0, sizeof now.uses);
    now.used = 0;
    told_count = 0;
    memset(setups, -1, sizeof setups);
    watched = (struct race){.generation = ++generation,
                            .setups = setups,
                            .threads = threads,
                            .memory = now.arena,
                            .take = take,
                            .uses = uses_of,
                            .undo = keep,
                            .report = on_race,
                            .use_after_free = on_use_after_free};
    race_open(&watched);
    race_start(&watched, 0, NO_THREAD);
}

static void go_on(thread_id running)
{
    watched.generation = ++generation;
    race_switch(&watched, running);
}

void watched_checkpoint(void)
{
    thread_id running = watched.now & 0xff;
    setups[generation % RACE_SETUPS] = generation;
    now.race = watched;
    kept = now;
    go_on(running);
}

void watched_return(void)
{
    while (undo_count > 0) {
        undo_count--;
        *undo[undo_count].cell = undo[undo_count].content;
    }
    now = kept;
    watched = now.race;
    told_count = 0;
    go_on(watched.now & 0xff);
}

static struct cell *cell_at(uint32_t offset)
{
    CHECK(offset < WATCHED_BYTES);
    return &cells[offset / GRANULE];
}

void watched_plain(uint32_t offset, uint32_t size, bool writes, uint64_t site)
{
    for (uint32_t at = offset; at < offset + size;) {
        uint32_t part = GRANULE - at % GRANULE;
        if (part > offset + size - at)
            part = offset + size - at;
        uint8_t mask = (uint8_t)(((1u << part) - 1) << at % GRANULE);
        race_plain(&watched, cell_at(at), memory + offset, mask, (uint8_t)size, writes, site);
        at += part;
    }
}

void watched_free(uint32_t offset, uint32_t size, uint64_t site)
{
    race_free(&watched, cell_at(offset), memory + offset, size, site);
}

void watched_renew(uint32_t offset, uint32_t size)
{
    race_renew(&watched, cell_at(offset), memory + offset, size);
}

void watched_use(uint32_t offset, uint64_t site)
{
    struct uses *uses = &now.uses[offset / GRANULE];
    if (!race_used(&watched, uses, site))
        race_use(&watched, uses, cell_at(offset), memory + offset, site);
}

void watched_atomic(uint32_t offset, uint8_t size, struct race_atomic atomic, uint64_t site)
{
    race_atomic(&watched, &now.syncs[offset], cell_at(offset), memory + offset, size, atomic, site);
}
