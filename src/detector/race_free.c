/* Blocks that are freed, and memory that is used again. A large block is remembered as a range, and
 * only its cells that some execution has used are visited. */

#include <string.h>

#include "detector/race_parts.h"

uint32_t race_freed_before(const struct race *race, const struct cell *cell)
{
    uint32_t low = 0, high = race->freed_count;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (race->freed[middle - 1].low <= cell)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static bool is_large(const struct race *race, size_t cells)
{
    return race->touched != NULL && cells >= RACE_CHUNKS_MANY * RACE_CHUNK;
}

static bool eight_are_untouched(const struct race *race, size_t chunk)
{
    uint64_t eight;
    memcpy(&eight, &race->touched[chunk], sizeof eight);
    return eight == 0;
}

/* The next cell from `at` on that any execution may have used; `end` if there is none. */
static struct cell *next_touched(const struct race *race, struct cell *at, struct cell *end)
{
    size_t chunk = (size_t)(at - race->first_cell) / RACE_CHUNK;
    size_t last = (size_t)(end - 1 - race->first_cell) / RACE_CHUNK;
    if (at >= end || race->touched[chunk] != 0)
        return at;
    while (chunk <= last && race->touched[chunk] == 0)
        chunk += chunk % 8 == 0 && chunk + 8 <= last && eight_are_untouched(race, chunk) ? 8 : 1;
    return chunk <= last ? (struct cell *)race->first_cell + chunk * RACE_CHUNK : end;
}

static void note_freed(struct race *race, const struct freed_block *block)
{
    if (race->freed_count == race->freed_max) {
        uint32_t most = race->freed_max == 0 ? 8 : 2 * race->freed_max;
        struct freed_block *more = race->take(most * sizeof *more);
        for (uint32_t i = 0; i < race->freed_count; i++)
            more[i] = race->freed[i];
        race->freed = more;
        race->freed_max = most;
    }
    uint32_t at = race->freed_count++;
    for (; at > 0 && race->freed[at - 1].low > block->low; at--)
        race->freed[at] = race->freed[at - 1];
    race->freed[at] = *block;
}

static void forget_freed(struct race *race, const struct cell *low, const struct cell *high)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < race->freed_count; i++)
        if (race->freed[i].low >= high || race->freed[i].high <= low)
            race->freed[kept++] = race->freed[i];
    race->freed_count = kept;
}

void race_free(struct race *race, struct cell *cells, const void *block, size_t size, uint64_t site)
{
    struct access access = {.site = site, .writes = true};
    struct cell *end = cells + (size + GRANULE - 1) / GRANULE;
    bool large = is_large(race, (size_t)(end - cells));
    bool first_time = false;
    for (struct cell *cell = cells; cell < end;) {
        access.address = (const char *)block + (cell - cells) * GRANULE;
        if (cell == cells)
            first_time = race_free_cell(race, cell, &access);
        else if (!large || is_of_now(race, cell))
            race_free_cell(race, cell, &access);
        cell++;
        if (large)
            cell = next_touched(race, cell, end);
    }
    if (large && first_time)
        note_freed(race, &(struct freed_block){.low = cells,
                                               .high = end,
                                               .epoch = (uint32_t)race->now,
                                               .site = (uint32_t)site});
}

bool race_freed(const struct race *race, struct cell *cell, struct race_place *out)
{
    race_enter(race, cell);
    *out = race_freed_place(cell);
    return cell->flags & CELL_FREED;
}

static void forget_uses(const struct race *race, const struct cell *cell, const void *address)
{
    struct uses *uses = cell->flags & CELL_USED ? race->uses(address, cell) : NULL;
    if (uses != NULL)
        *uses = (struct uses){0};
}

void race_renew(struct race *race, struct cell *cells, const void *block, size_t size)
{
    struct cell *end = cells + (size + GRANULE - 1) / GRANULE;
    bool large = is_large(race, (size_t)(end - cells));
    forget_freed(race, cells, end);
    for (struct cell *cell = cells; cell < end;) {
        if (is_of_now(race, cell)) {
            race_enter(race, cell);
            forget_uses(race, cell, (const char *)block + (cell - cells) * GRANULE);
            *cell = (struct cell){.write = (epoch)race->generation << 32,
                                  .flags = cell->flags & CELL_LOGGED};
        }
        cell++;
        if (large)
            cell = next_touched(race, cell, end);
    }
}
