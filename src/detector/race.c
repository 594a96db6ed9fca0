/* Data races; see race.h. Clocks follow FastTrack, atomic accesses follow C11. A release write
 * starts a release sequence. Read-modify-writes continue the sequence, other stores end it. Fences
 * carry what relaxed accesses before or after them saw. */
#include <string.h>

#include "detector/race_parts.h"

static struct reads reads_take(const struct race *race)
{
    size_t width = clock_groups(race->threads) * CLOCK_GROUP;
    uint32_t *both = race->take(2 * width * sizeof *both);
    return (struct reads){.clock = both, .site = both + width};
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
    /* The thread knows all that the object knew. */
    if (atomic.release && (!atomic.reads || atomic.acquire)) {
        race_release(race, sync);
        return;
    }
    bool reads = atomic.reads, release = atomic.release;
    const struct race_thread *me = &race->thread[running_thread(race)];
    sync->by = NO_THREAD;
    /* A store that is no read-modify-write ends the release sequence. */
    if (!reads && sync->clock != NULL)
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

/* Starts a cell that this execution has not used yet. The cell may belong to a large block that was
 * freed. */
static void cell_renew(const struct race *race, struct cell *cell)
{
    race_touch(race, cell);
    *cell = (struct cell){.write = (epoch)race->generation << 32};
    uint32_t before = race->freed_count > 0 ? race_freed_before(race, cell) : 0;
    if (before == 0 || cell >= race->freed[before - 1].high)
        return;
    cell->write |= race->freed[before - 1].epoch;
    cell->write_site = race->freed[before - 1].site;
    cell->flags = CELL_FREED;
}

/* For later executions, before the cell changes. */
static void cell_save(const struct race *race, struct cell *cell)
{
    if (cell->flags & CELL_LOGGED)
        return;
    race->undo(cell);
    uint64_t more; /* stored whole, as race_note() loads it */
    __builtin_memcpy(&more, &cell->more, sizeof more);
    more |= (uint64_t)CELL_LOGGED << 40;
    __builtin_memcpy(&cell->more, &more, sizeof more);
}

void race_enter(const struct race *race, struct cell *cell)
{
    uint32_t generation = epoch_generation(cell->write);
    if (generation == race->generation)
        return;
    if (race_is_setup(race, generation))
        cell_save(race, cell);
    else
        cell_renew(race, cell);
}

static bool ordered(const struct race *race, epoch earlier)
{
    return epoch_clock(earlier) <= race->clock[epoch_thread(earlier)];
}

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

/* Compares an access with those that the cell remembers. The access covers all bytes that the cell
 * describes. */
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

static struct use *use_of(const struct uses *uses, thread_id thread)
{
    if (thread < USES_FEW)
        return (struct use *)&uses->few[thread];
    return uses->more != NULL ? &uses->more[thread] : NULL;
}

/* For a plain write of a synchronisation object: compares the write with the last use by each
 * thread. The next use of each thread is compared with the write. */
static void check_uses(const struct race *race, const struct cell *cell,
                       const struct access *access)
{
    if (!(cell->flags & CELL_USED))
        return;
    const struct uses *uses = race->uses(access->address, cell);
    for (thread_id i = 0; uses != NULL && i < race->count; i++) {
        struct use *use = use_of(uses, i);
        if (use == NULL || use->clock == 0)
            continue;
        if ((use->clock & ~USE_IS_STALE) > race->clock[i])
            report(race, access, i, use->site, GRANULE, false, true);
        use->clock |= USE_IS_STALE;
    }
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
    if ((uintptr_t)address - race->watched_low < race->watched_size && race->look != NULL)
        race->look(address, size, writes, site);
}

struct race_place race_freed_place(const struct cell *cell)
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
    struct race_place freed = race_freed_place(cell);
    if (!ordered(race, cell->write))
        race->report(&freed, access->address, access->size, access->writes, access->atomic,
                     access->site);
}

static void check_freed(const struct race *race, const struct cell *cell,
                        const struct access *access)
{
    if (!(cell->flags & CELL_FREED))
        return;
    struct race_place freed = race_freed_place(cell);
    check_free_order(race, cell, access);
    race->use_after_free(&freed, access->address, access->size, access->writes, access->atomic,
                         access->site);
}

/* Splits a cell into one cell for each byte. Each starts with what the whole cell knew. */
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
    race_enter(race, cell);
    check_freed(race, cell, &access);
    if (writes)
        check_uses(race, cell, &access);
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

static __attribute__((noinline)) void access_slowly(struct race *race, struct cell *cell,
                                                    const void *address, uint8_t mask, uint8_t size,
                                                    bool writes, uint64_t site)
{
    look_at(race, address, size, writes, site);
    if (is_of_now(race, cell)) {
        look_closely(race, cell, address, mask, size, writes, site);
        return;
    }
    race_touch(race, cell);
    if (race->freed_count > 0) {
        cell_renew(race, cell);
        look_closely(race, cell, address, mask, size, writes, site);
    } else {
        race_begin(race, cell, mask, size, writes, site);
    }
}

/* Most cells that come here were written by the set-up, and all accesses that they remember happen
 * before this one. */
void race_slow(struct race *race, struct cell *cell, const void *address, uint8_t mask,
               uint8_t size, bool writes, uint64_t site)
{
    bool watched = (uintptr_t)address - race->watched_low < race->watched_size;
    if (!watched && race_is_setup(race, epoch_generation(cell->write)) &&
        race_cell_is_simple(cell, mask) && ordered(race, cell->write) &&
        ordered(race, cell->read)) {
        cell_save(race, cell);
        race_note(race, cell, size, writes, site);
        return;
    }
    access_slowly(race, cell, address, mask, size, writes, site);
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

/* An atomic access narrower than a granule concerns its bytes only, so that a neighbour does not
 * look racy. */
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

/* The vectors of a cell that only atomic accesses of full width have used in this execution: no
 * race is possible there. NULL: the cell is not such a one. */
static struct cell_more *only_atomic(const struct race *race, const struct cell *cell)
{
    if (cell->more == 0 || cell->write != (epoch)race->generation << 32 || cell->read != 0 ||
        cell->mask != 0 || cell->flags & CELL_FREED)
        return NULL;
    struct cell_more *more = more_of(race, cell);
    return more->bytes == NULL && more->reads.clock == NULL ? more : NULL;
}

static void check_all(const struct race *race, const struct cell *cell, const struct access *access)
{
    const struct cell_more *more = more_of(race, cell);
    if (more == NULL || more->bytes == NULL) {
        check(race, cell, access);
        return;
    }
    for (int i = 0; i < GRANULE; i++)
        check(race, &more->bytes[i], access);
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
        race_enter(race, cells);
        check_freed(race, cells, &access);
        if (size < GRANULE) {
            atomic_narrow(race, cells, &access);
            continue;
        }
        check_all(race, cells, &access);
        atomic_note(race, cells, &access);
    }
}

static bool is_written_unordered(const struct race *race, const struct cell *cell)
{
    const struct cell_more *more = more_of(race, cell);
    bool unordered = !ordered(race, cell->write);
    for (int i = 0; more != NULL && more->bytes != NULL && i < GRANULE; i++)
        unordered |= !ordered(race, more->bytes[i].write);
    return unordered;
}

void race_use(struct race *race, struct uses *uses, struct cell *cell, const void *object,
              uint64_t site)
{
    thread_id me = running_thread(race);
    struct access access = {
        .address = object, .cell = cell, .site = site, .size = GRANULE, .atomic = true};
    look_at(race, object, GRANULE, false, site);
    race_enter(race, cell);
    if (me >= USES_FEW && uses->more == NULL)
        uses->more = race->take(race->threads * sizeof *uses->more);
    bool simple = cell->more == 0 && !(cell->flags & CELL_FREED);
    if (simple && ordered(race, cell->write)) { /* as it is with nearly all */
        cell->flags |= CELL_USED;
        *use_of(uses, me) = (struct use){.clock = epoch_clock(race->now), .site = (uint32_t)site};
        return;
    }
    check_freed(race, cell, &access);
    check_all(race, cell, &access);
    cell->flags |= CELL_USED;
    uint32_t stale = is_written_unordered(race, cell) ? USE_IS_STALE : 0;
    *use_of(uses, me) =
        (struct use){.clock = epoch_clock(race->now) | stale, .site = (uint32_t)site};
}

void race_atomic(struct race *race, struct sync *sync, struct cell *cells, const void *address,
                 uint8_t size, struct race_atomic atomic, uint64_t site)
{
    bool mute = is_mute(race);
    if (atomic.reads && !mute)
        atomic_acquire(race, sync, atomic.acquire);
    if (cells != NULL)
        race_atomic_access(race, cells, address, size, atomic.writes, site);
    if (atomic.writes && !mute)
        atomic_release(race, sync, atomic);
}

bool race_free_cell(struct race *race, struct cell *cell, struct access *access)
{
    race_enter(race, cell);
    struct cell_more *more = more_of(race, cell);
    access->cell = cell;
    /* The caller reports the double free; the two frees may race as well. */
    if (cell->flags & CELL_FREED) {
        check_free_order(race, cell, access);
        return false;
    }
    if (more != NULL && more->bytes != NULL) {
        for (int i = 0; i < GRANULE; i++)
            check(race, &more->bytes[i], access);
    }
    check(race, cell, access);
    check_uses(race, cell, access);
    note_write(race, cell, access);
    cell->mask = 0;
    cell->flags |= CELL_FREED;
    return true;
}
