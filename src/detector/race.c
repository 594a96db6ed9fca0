/* Data races; see race.h. Clocks follow FastTrack, atomic accesses follow C11. A release write
 * starts a release sequence. Read-modify-writes continue the sequence, other stores end it. Fences
 * carry what relaxed accesses before or after them saw. */
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

/* Starts a new epoch: the thread's accesses before a release must differ from those after it. */
static void tick(struct race *race)
{
    race->clock[running_thread(race)]++;
    race->now += 1 << 8;
}

void race_open(struct race *race)
{
    race->thread = race->take(race->threads * sizeof *race->thread);
}

static inline bool is_mute(const struct race *race)
{
    return __builtin_expect(race->is_mute != NULL, 0) && race->is_mute();
}

void race_start(struct race *race, thread_id thread, thread_id parent)
{
    struct race_thread *new = &race->thread[thread];
    race->count = thread + 1u;
    *new = (struct race_thread){.clock = vector_take(race)};
    if (parent != NO_THREAD && !is_mute(race)) {
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
    if (!is_mute(race))
        vector_join(race, race->clock, race->thread[ended].clock);
}

void race_learn(struct race *race, const uint32_t *clock)
{
    if (!is_mute(race))
        vector_join(race, race->clock, clock);
}

/* In a function of its own, so that the other releases save no registers. */
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
    if (is_mute(race))
        return;
    vector_copy(race, sync->clock, race->clock);
    sync->by = running_thread(race);
    sync->at = race->clock[sync->by];
    tick(race);
}

void race_release_more(struct race *race, struct sync *sync)
{
    if (is_mute(race))
        return;
    sync->by = NO_THREAD;
    vector_join_new(race, &sync->clock, race->clock);
    tick(race);
}

void race_keep(struct race *race, struct race_kept *kept, const struct sync *sync, bool writes)
{
    const struct race_thread *me = &race->thread[running_thread(race)];
    kept->valid = writes || sync->clock != NULL;
    if (!kept->valid)
        return;
    vector_copy_new(race, &kept->clock, race->clock);
    kept->has_acquired = me->acquired != NULL;
    if (kept->has_acquired)
        vector_copy_new(race, &kept->acquired, me->acquired);
    kept->writes = writes;
    kept->sync = *sync;
    if (writes && sync->clock != NULL)
        vector_copy_new(race, &kept->sync_clock, sync->clock);
}

/* Undoes race_keep(). The thread keeps its own clock entry, which may have ticked since. */
void race_put_back(struct race *race, struct race_kept *kept, struct sync *sync)
{
    struct race_thread *me = &race->thread[running_thread(race)];
    if (!kept->valid)
        return;
    uint32_t own = race->clock[running_thread(race)];
    vector_copy(race, race->clock, kept->clock);
    race->clock[running_thread(race)] = own;
    if (me->acquired != NULL && kept->has_acquired)
        vector_copy(race, me->acquired, kept->acquired);
    else
        me->acquired = NULL;
    if (kept->writes) {
        *sync = kept->sync;
        if (sync->clock != NULL)
            vector_copy(race, sync->clock, kept->sync_clock);
    }
    kept->valid = false;
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

/* The last large freed block that begins at or before a cell, as its index + 1; 0: none does. */
static uint32_t freed_before(const struct race *race, const struct cell *cell)
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

/* Starts a cell that this execution has not used yet. The cell may belong to a large block that was
 * freed. */
static void cell_renew(const struct race *race, struct cell *cell)
{
    race_touch(race, cell);
    *cell = (struct cell){.write = (epoch)race->generation << 32};
    uint32_t before = race->freed_count > 0 ? freed_before(race, cell) : 0;
    if (before == 0 || cell >= race->freed[before - 1].high)
        return;
    cell->write |= race->freed[before - 1].epoch;
    cell->write_site = race->freed[before - 1].site;
    cell->flags = CELL_FREED;
}

static bool is_of_now(const struct race *race, const struct cell *cell)
{
    uint32_t generation = epoch_generation(cell->write);
    return generation == race->generation || race_is_setup(race, generation);
}

/* Makes a cell describe this execution. Accesses of older executions are dropped. Accesses of the
 * set-up are saved for later executions before the cell changes. */
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
    cell_renew(race, cell);
}

static bool ordered(const struct race *race, epoch earlier)
{
    return epoch_clock(earlier) <= race->clock[epoch_thread(earlier)];
}

struct access { /* The access that is being checked. */
    const void *address;
    const struct cell *cell; /* cell of the granule that is being checked */
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
    cell_enter(race, cell);
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

void race_slow(struct race *race, struct cell *cell, const void *address, uint8_t mask,
               uint8_t size, bool writes, uint64_t site)
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
        cell_enter(race, cells);
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
    cell_enter(race, cell);
    check_freed(race, cell, &access);
    check_all(race, cell, &access);
    cell->flags |= CELL_USED;
    if (me >= USES_FEW && uses->more == NULL)
        uses->more = race->take(race->threads * sizeof *uses->more);
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

/* Frees one cell. Returns false if the cell was free already. */
static bool free_cell(struct race *race, struct cell *cell, struct access *access)
{
    cell_enter(race, cell);
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
            first_time = free_cell(race, cell, &access);
        else if (!large || is_of_now(race, cell))
            free_cell(race, cell, &access);
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
    cell_enter(race, cell);
    *out = freed_place(cell);
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
            cell_enter(race, cell);
            forget_uses(race, cell, (const char *)block + (cell - cells) * GRANULE);
            *cell = (struct cell){.write = (epoch)race->generation << 32,
                                  .flags = cell->flags & CELL_LOGGED};
        }
        cell++;
        if (large)
            cell = next_touched(race, cell, end);
    }
}
