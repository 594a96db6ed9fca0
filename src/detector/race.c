/* Data races; see race.h. Clocks follow FastTrack; atomics follow C11: a release write starts a
 * release sequence that read-modify-writes continue and other stores end, and fences carry what
 * relaxed accesses before or after them saw. */
#include "detector/race.h"

#include <string.h>

#include "base/clock.h"

static uint32_t epoch_generation(epoch e)
{
    return (uint32_t)(e >> 32);
}

static uint32_t epoch_clock(epoch e)
{
    return (uint32_t)e >> 8;
}

static thread_id epoch_thread(epoch e)
{
    return e & 0xff;
}

static thread_id running_thread(const struct race *race)
{
    return epoch_thread(race->now);
}

static uint32_t *vector_take(const struct race *race)
{
    return race->take(clock_groups(race->threads) * sizeof(clock_group));
}

static void vector_join(const struct race *race, uint32_t *into, const uint32_t *from)
{
    clock_join(into, from, race->count);
}

static void vector_join_new(const struct race *race, uint32_t **into, const uint32_t *from)
{
    if (*into == NULL)
        *into = vector_take(race);
    vector_join(race, *into, from);
}

static void vector_copy(const struct race *race, uint32_t *into, const uint32_t *from)
{
    clock_copy(into, from, race->count);
}

static void vector_copy_new(const struct race *race, uint32_t **into, const uint32_t *from)
{
    if (*into == NULL)
        *into = vector_take(race);
    vector_copy(race, *into, from);
}

static struct reads reads_take(const struct race *race)
{
    size_t width = clock_groups(race->threads) * CLOCK_GROUP;
    uint32_t *both = race->take(2 * width * sizeof *both);
    return (struct reads){.clock = both, .site = both + width};
}

/* What a thread did before a release must not look like what it does after. */
static void tick(struct race *race)
{
    race->clock[running_thread(race)]++;
    race->now += 1 << 8;
}

void race_open(struct race *race)
{
    race->thread = race->take(race->threads * sizeof *race->thread);
}

void race_start(struct race *race, thread_id thread, thread_id parent)
{
    struct race_thread *new = &race->thread[thread];
    race->count = thread + 1u;
    *new = (struct race_thread){.clock = vector_take(race)};
    if (parent != NO_THREAD) {
        vector_copy(race, new->clock, race->thread[parent].clock);
        tick(race);
    }
    new->clock[thread] = 1;
    if (parent == NO_THREAD)
        race_switch(race, thread);
}

void race_start_like(struct race *race, thread_id thread, thread_id other)
{
    uint32_t *clock = race->thread[thread].clock;
    memcpy(clock, race->thread[other].clock, race->threads * sizeof *clock);
    clock[other] = 0;
    clock[thread] = 1;
}

void race_join(struct race *race, thread_id ended)
{
    vector_join(race, race->clock, race->thread[ended].clock);
}

void race_learn(struct race *race, const uint32_t *clock)
{
    vector_join(race, race->clock, clock);
}

/* Apart, so that all others save no registers. */
static __attribute__((noinline, cold)) void release_first(struct race *race, struct sync *sync)
{
    sync->clock = vector_take(race);
    race_release(race, sync);
}

void race_release(struct race *race, struct sync *sync)
{
    if (sync->clock == NULL) {
        release_first(race, sync);
        return;
    }
    vector_copy(race, sync->clock, race->clock);
    sync->by = running_thread(race);
    sync->at = race->clock[sync->by];
    tick(race);
}

void race_release_more(struct race *race, struct sync *sync)
{
    sync->by = NO_THREAD;
    vector_join_new(race, &sync->clock, race->clock);
    tick(race);
}

void race_fence(struct race *race, bool acquire, bool release)
{
    struct race_thread *me = &race->thread[running_thread(race)];
    if (acquire && me->acquired != NULL)
        vector_join(race, me->clock, me->acquired);
    if (release) {
        vector_copy_new(race, &me->released, me->clock);
        tick(race);
    }
}

static void atomic_acquire(struct race *race, const struct sync *sync, bool acquire)
{
    if (sync->clock == NULL)
        return;
    if (acquire)
        race_acquire(race, sync);
    else
        vector_join_new(race, &race->thread[running_thread(race)].acquired, sync->clock);
}

static void atomic_release(struct race *race, struct sync *sync, struct race_atomic atomic)
{
    if (atomic.release && (!atomic.reads || atomic.acquire)) { /* it knows all that was there */
        race_release(race, sync);
        return;
    }
    bool reads = atomic.reads, release = atomic.release;
    const struct race_thread *me = &race->thread[running_thread(race)];
    sync->by = NO_THREAD;
    if (!reads && sync->clock != NULL) /* a plain store ends the release sequence */
        memset(sync->clock, 0, race->threads * sizeof(uint32_t));
    if (me->released != NULL)
        vector_join_new(race, &sync->clock, me->released);
    if (release)
        race_release_more(race, sync);
}

static struct cell_more *more_of(const struct race *race, const struct cell *cell)
{
    return cell->more == 0 ? NULL : (struct cell_more *)(race->memory + 16ul * cell->more);
}

static struct cell_more *more_make(const struct race *race, struct cell *cell)
{
    if (cell->more == 0) {
        char *more = race->take(sizeof(struct cell_more));
        cell->more = (uint32_t)((size_t)(more - race->memory) / 16);
    }
    return more_of(race, cell);
}

/* Makes a cell speak of this execution: what older ones left is dropped, what the set-up left is
 * kept for later executions before it changes. */
static void cell_enter(const struct race *race, struct cell *cell)
{
    uint32_t generation = epoch_generation(cell->write);
    if (generation == race->generation)
        return;
    if (race_is_setup(race, generation)) {
        if (!(cell->flags & CELL_LOGGED)) {
            race->undo(cell);
            cell->flags |= CELL_LOGGED;
        }
        return;
    }
    *cell = (struct cell){.write = (epoch)race->generation << 32};
}

static bool ordered(const struct race *race, epoch earlier)
{
    return epoch_clock(earlier) <= race->clock[epoch_thread(earlier)];
}

struct access { /* the one being checked */
    const void *address;
    const struct cell *cell; /* of the granule that is looked at */
    uint64_t site;
    uint8_t size;
    bool writes, atomic;
};

static void report(const struct race *race, const struct access *access, thread_id thread,
                   uint32_t site, uint8_t size, bool writes, bool atomic)
{
    struct race_place earlier = {.site = site,
                                 .thread = thread,
                                 .size = size,
                                 .writes = writes,
                                 .atomic = atomic,
                                 .cell = access->cell};
    race->report(&earlier, access->address, access->size, access->writes, access->atomic,
                 access->site);
}

static void check_vector(const struct race *race, const struct access *access,
                         const struct reads *reads, bool writes, bool atomic)
{
    if (reads->clock == NULL)
        return;
    for (thread_id i = 0; i < race->count; i++)
        if (reads->clock[i] > race->clock[i])
            report(race, access, i, reads->site[i], access->size, writes, atomic);
}

static void vector_note(const struct race *race, struct reads *reads, thread_id thread,
                        uint32_t clock, uint64_t site)
{
    if (reads->clock == NULL)
        *reads = reads_take(race);
    reads->clock[thread] = clock;
    reads->site[thread] = (uint32_t)site;
}

/* Compares with what the cell remembers; the cell's bytes are all meant. */
static void check(const struct race *race, const struct cell *cell, const struct access *access)
{
    const struct cell_more *more = more_of(race, cell);
    if (!ordered(race, cell->write) && !(cell->flags & CELL_FREED))
        report(race, access, epoch_thread(cell->write), cell->write_site, cell->write_size, true,
               false);
    if (access->writes) {
        if (cell->read != 0 && !ordered(race, cell->read))
            report(race, access, epoch_thread(cell->read), cell->read_site, cell->read_size, false,
                   false);
        if (more != NULL)
            check_vector(race, access, &more->reads, false, false);
    }
    if (access->atomic || more == NULL)
        return;
    check_vector(race, access, &more->atomic_writes, true, true);
    if (access->writes)
        check_vector(race, access, &more->atomic_reads, false, true);
}

static void note_write(const struct race *race, struct cell *cell, const struct access *access)
{
    cell->write = race->now;
    cell->write_site = (uint32_t)access->site;
    cell->write_size = access->size;
    cell->read = 0;
    struct cell_more *more = more_of(race, cell);
    if (more != NULL)
        more->reads = (struct reads){0};
}

static void note_read(const struct race *race, struct cell *cell, const struct access *access)
{
    struct cell_more *more = more_of(race, cell);
    thread_id me = running_thread(race);
    if (more != NULL && more->reads.clock != NULL) {
        vector_note(race, &more->reads, me, epoch_clock(race->now), access->site);
        cell->read = race->now;
    } else if (cell->read == 0 || epoch_thread(cell->read) == me || ordered(race, cell->read)) {
        cell->read = race->now;
    } else {
        more = more_make(race, cell);
        vector_note(race, &more->reads, epoch_thread(cell->read), epoch_clock(cell->read),
                    cell->read_site);
        vector_note(race, &more->reads, me, epoch_clock(race->now), access->site);
        cell->read = race->now;
    }
    cell->read_site = (uint32_t)access->site;
    cell->read_size = access->size;
}

static void look_at(const struct race *race, const void *address, size_t size, bool writes,
                    uint64_t site)
{
    if ((uintptr_t)address - race->watched_low < race->watched_size)
        race->look(address, size, writes, site);
}

static struct race_place freed_place(const struct cell *cell)
{
    return (struct race_place){.site = cell->write_site,
                               .thread = epoch_thread(cell->write),
                               .size = cell->write_size,
                               .writes = true,
                               .frees = true,
                               .cell = cell};
}

static void check_free_order(const struct race *race, const struct cell *cell,
                             const struct access *access)
{
    struct race_place freed = freed_place(cell);
    if (!ordered(race, cell->write))
        race->report(&freed, access->address, access->size, access->writes, access->atomic,
                     access->site);
}

static void check_freed(const struct race *race, const struct cell *cell,
                        const struct access *access)
{
    if (!(cell->flags & CELL_FREED))
        return;
    struct race_place freed = freed_place(cell);
    check_free_order(race, cell, access);
    race->use_after_free(&freed, access->address, access->size, access->writes, access->atomic,
                         access->site);
}

/* From now on one cell for each byte, each starting with what is known of it. */
static struct cell *split(const struct race *race, struct cell *cell)
{
    struct cell_more *more = more_make(race, cell);
    if (more->bytes != NULL)
        return more->bytes;
    struct cell *bytes = race->take(GRANULE * sizeof(struct cell));
    for (int i = 0; i < GRANULE; i++) {
        bytes[i].write = (epoch)race->generation << 32;
        if (!(cell->mask >> i & 1))
            continue;
        bytes[i] = *cell;
        bytes[i].mask = 1;
        bytes[i].flags = 0;
        bytes[i].more = 0;
        if (more->reads.clock != NULL) {
            struct reads *reads = &more_make(race, &bytes[i])->reads;
            *reads = reads_take(race);
            memcpy(reads->clock, more->reads.clock, race->threads * sizeof(uint32_t));
            memcpy(reads->site, more->reads.site, race->threads * sizeof(uint32_t));
        }
    }
    more->bytes = bytes;
    cell->mask = 0;
    return bytes;
}

static void access_cell(struct race *race, struct cell *cell, const struct access *access)
{
    if (!ordered(race, cell->write) || (access->writes && !ordered(race, cell->read)))
        cell->flags |= CELL_RACED;
    check(race, cell, access);
    if (access->writes)
        note_write(race, cell, access);
    else
        note_read(race, cell, access);
}

static __attribute__((noinline)) void look_closely(struct race *race, struct cell *cell,
                                                   const void *address, uint8_t mask, uint8_t size,
                                                   bool writes, uint64_t site)
{
    struct access access = {
        .address = address, .cell = cell, .site = site, .size = size, .writes = writes};
    cell_enter(race, cell);
    check_freed(race, cell, &access);
    struct cell_more *more = more_of(race, cell);
    if (cell->mask == 0 && (more == NULL || more->bytes == NULL))
        cell->mask = mask;
    if (cell->mask == mask) {
        access_cell(race, cell, &access);
        return;
    }
    struct cell *bytes = split(race, cell);
    more = more_of(race, cell);
    for (int i = 0; i < GRANULE; i++)
        if (mask >> i & 1)
            access_cell(race, &bytes[i], &access);
    check_vector(race, &access, &more->atomic_writes, true, true);
    if (writes)
        check_vector(race, &access, &more->atomic_reads, false, true);
}

void race_slow(struct race *race, struct cell *cell, const void *address, uint8_t mask,
               uint8_t size, bool writes, uint64_t site)
{
    uint32_t generation = epoch_generation(cell->write);
    look_at(race, address, size, writes, site);
    if (generation != race->generation && !race_is_setup(race, generation))
        race_begin(race, cell, mask, size, writes, site);
    else
        look_closely(race, cell, address, mask, size, writes, site);
}

static uint8_t granule_mask(const void *address, size_t size)
{
    uintptr_t from = (uintptr_t)address % GRANULE;
    return (uint8_t)(((1u << size) - 1) << from);
}

static void atomic_note(const struct race *race, struct cell *cell, const struct access *access)
{
    struct cell_more *more = more_make(race, cell);
    struct reads *reads = access->writes ? &more->atomic_writes : &more->atomic_reads;
    vector_note(race, reads, running_thread(race), epoch_clock(race->now), access->site);
}

/* Atomics narrower than a granule keep to their bytes, so that a neighbour does not look racy. */
static void atomic_narrow(const struct race *race, struct cell *cell, const struct access *access)
{
    struct cell *bytes = split(race, cell);
    uint8_t mask = granule_mask(access->address, access->size);
    for (int i = 0; i < GRANULE; i++)
        if (mask >> i & 1) {
            check(race, &bytes[i], access);
            atomic_note(race, &bytes[i], access);
        }
}

/* The vectors of a cell of this execution that only atomic accesses of its width have met: nothing
 * can race there. NULL: it is not one. */
static struct cell_more *only_atomic(const struct race *race, const struct cell *cell)
{
    if (cell->more == 0 || cell->write != (epoch)race->generation << 32 || cell->read != 0 ||
        cell->mask != 0 || cell->flags & CELL_FREED)
        return NULL;
    struct cell_more *more = more_of(race, cell);
    return more->bytes == NULL && more->reads.clock == NULL ? more : NULL;
}

void race_atomic_access(struct race *race, struct cell *cells, const void *address, uint8_t size,
                        bool writes, uint64_t site)
{
    struct cell_more *more = size == GRANULE ? only_atomic(race, cells) : NULL;
    if (more != NULL) {
        vector_note(race, writes ? &more->atomic_writes : &more->atomic_reads, running_thread(race),
                    epoch_clock(race->now), site);
        return;
    }
    struct access access = {
        .address = address, .site = site, .size = size, .writes = writes, .atomic = true};
    look_at(race, address, size, writes, site);
    for (size_t done = 0; done < size; done += GRANULE, cells++) {
        access.cell = cells;
        cell_enter(race, cells);
        check_freed(race, cells, &access);
        if (size < GRANULE) {
            atomic_narrow(race, cells, &access);
            continue;
        }
        struct cell_more *more = more_of(race, cells);
        if (more != NULL && more->bytes != NULL)
            for (int i = 0; i < GRANULE; i++)
                check(race, &more->bytes[i], &access);
        else
            check(race, cells, &access);
        atomic_note(race, cells, &access);
    }
}

void race_atomic(struct race *race, struct sync *sync, struct cell *cells, const void *address,
                 uint8_t size, struct race_atomic atomic, uint64_t site)
{
    if (atomic.reads)
        atomic_acquire(race, sync, atomic.acquire);
    if (cells != NULL)
        race_atomic_access(race, cells, address, size, atomic.writes, site);
    if (atomic.writes)
        atomic_release(race, sync, atomic);
}

void race_free(struct race *race, struct cell *cells, const void *block, size_t size, uint64_t site)
{
    struct access access = {.address = block, .site = site, .size = 0, .writes = true};
    for (size_t done = 0; done < size; done += GRANULE, cells++) {
        cell_enter(race, cells);
        struct cell_more *more = more_of(race, cells);
        access.address = (const char *)block + done;
        access.cell = cells;
        if (cells->flags &
            CELL_FREED) { /* twice: who frees says so, but the two may race as well */
            check_free_order(race, cells, &access);
            continue;
        }
        if (more != NULL && more->bytes != NULL) {
            for (int i = 0; i < GRANULE; i++)
                check(race, &more->bytes[i], &access);
        }
        check(race, cells, &access);
        note_write(race, cells, &access);
        cells->mask = 0;
        cells->flags |= CELL_FREED;
    }
}

bool race_freed(const struct race *race, struct cell *cell, struct race_place *out)
{
    cell_enter(race, cell);
    *out = freed_place(cell);
    return cell->flags & CELL_FREED;
}

void race_renew(struct race *race, struct cell *cells, size_t size)
{
    for (size_t done = 0; done < size; done += GRANULE, cells++) {
        cell_enter(race, cells);
        *cells = (struct cell){.write = (epoch)race->generation << 32,
                               .flags = cells->flags & CELL_LOGGED};
    }
}
