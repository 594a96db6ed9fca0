/* Shared by the parts of the race detector. race.c checks accesses, race_order.c keeps the clocks
 * that order threads, race_free.c follows blocks that are freed and used again. */
#ifndef DETECTOR_RACE_PARTS_H
#define DETECTOR_RACE_PARTS_H

#include "base/clock.h"
#include "detector/race.h"

static inline uint32_t epoch_generation(epoch e)
{
    return (uint32_t)(e >> 32);
}

static inline uint32_t epoch_clock(epoch e)
{
    return (uint32_t)e >> 8;
}

static inline thread_id epoch_thread(epoch e)
{
    return e & 0xff;
}

static inline thread_id running_thread(const struct race *race)
{
    return epoch_thread(race->now);
}

static inline uint32_t *vector_take(const struct race *race)
{
    return race->take(clock_groups(race->threads) * sizeof(clock_group));
}

static inline void vector_join(const struct race *race, uint32_t *into, const uint32_t *from)
{
    clock_join(into, from, race->count);
}

static inline void vector_join_new(const struct race *race, uint32_t **into, const uint32_t *from)
{
    if (*into == NULL)
        *into = vector_take(race);
    vector_join(race, *into, from);
}

static inline void vector_copy(const struct race *race, uint32_t *into, const uint32_t *from)
{
    clock_copy(into, from, race->count);
}

static inline void vector_copy_new(const struct race *race, uint32_t **into, const uint32_t *from)
{
    if (*into == NULL)
        *into = vector_take(race);
    vector_copy(race, *into, from);
}

/* Starts a new epoch: the thread's accesses before a release must differ from those after it. */
static inline void tick(struct race *race)
{
    race->clock[running_thread(race)]++;
    race->now += 1 << 8;
}

static inline bool is_mute(const struct race *race)
{
    return __builtin_expect(race->is_mute != NULL, 0) && race->is_mute();
}

static inline bool is_of_now(const struct race *race, const struct cell *cell)
{
    uint32_t generation = epoch_generation(cell->write);
    return generation == race->generation || race_is_setup(race, generation);
}

struct access { /* The access that is being checked. */
    const void *address;
    const struct cell *cell; /* cell of the granule that is being checked */
    uint64_t site;
    uint8_t size;
    bool writes, atomic;
};

/* Makes a cell describe this execution. Accesses of older executions are dropped. Accesses of the
 * set-up are saved for later executions before the cell changes. */
void race_enter(const struct race *race, struct cell *cell);
/* The free that a cell remembers. */
struct race_place race_freed_place(const struct cell *cell);
/* Frees one cell. Returns false if the cell was free already. */
bool race_free_cell(struct race *race, struct cell *cell, struct access *access);
/* The last large freed block that begins at or before a cell, as its index + 1; 0: none does. */
uint32_t race_freed_before(const struct race *race, const struct cell *cell);

#endif
