/* Data races, by happens-before: FastTrack (Flanagan and Freund 2009) with full read vectors, byte
 * exact, and with C11's synchronises-with for atomic accesses.
 *
 * Every four bytes of the program have a cell. An epoch names an access: generation of the
 * execution, clock and thread. What an earlier generation left in a cell counts as empty, so cells
 * are never cleared; only cells that a set-up, the steps before a checkpoint, wrote are put back
 * (undo).
 *
 * The cells of a large block that is freed are not all written: the free visits the chunks
 * that were ever touched, and notes the block. A cell that is first used afterwards learns from the
 * note that it was freed. So a block costs what was accessed of it, not what was allocated. */
#ifndef DETECTOR_RACE_H
#define DETECTOR_RACE_H

#include <stddef.h>

#include "core/thread.h"

enum { GRANULE = 4, RACE_CLOCK_BITS = 24, RACE_SETUPS = 32 };
enum { RACE_CHUNK = 4096, RACE_CHUNKS_MANY = 4 }; /* cells of a chunk; chunks of a large block */
enum { RACE_SIZE_MAX = UINT8_MAX };               /* of an access: so many bytes or more */

typedef uint64_t epoch; /* generation << 32 | clock << 8 | thread */

struct cell {
    epoch write; /* last plain write; clock 0: none. Its generation is the cell's */
    epoch read;  /* last plain read, if one epoch says it all */
    uint32_t write_site, read_site; /* low halves of the addresses */
    uint32_t more; /* struct cell_more, as a handle of the execution's memory; 0: none */
    uint8_t mask;  /* bytes of the granule that write and read speak of; 0: ask `more` or flags */
    uint8_t flags; /* enum cell_flag */
    uint8_t write_size, read_size;
};
_Static_assert(sizeof(struct cell) == 32, "the shadow is eight times the program's memory");

enum cell_flag {
    CELL_FREED = 1,
    CELL_LOGGED = 2,
    CELL_RACED = 4,
    CELL_USED =
        8, /* a synchronisation object begins here: who uses it is known to its struct uses */
};

struct reads { /* one entry for each thread */
    uint32_t *clock, *site;
};

struct cell_more {
    struct reads reads; /* more than one reader since the last write */
    struct cell *bytes; /* one for each byte, once accesses of different widths met */
    struct reads atomic_reads, atomic_writes;
};

struct sync {        /* what an acquire of this object learns */
    uint32_t *clock; /* NULL: nothing */
    uint32_t at;     /* clock of the thread that released last: who knows it … */
    thread_id by;    /* … knows all; NO_THREAD: there are several */
};

/* The last use of a synchronisation object by each thread (lock, unlock, wait, post …). Uses do not
 * race with each other, but with every plain write of the object's first granule: whatever
 * initialises, destroys, overwrites or frees the object writes that. */
enum { USES_FEW = 4, USE_IS_STALE = 1 << 30 /* in a clock: a plain write has come since */ };
struct use {
    uint32_t clock, site; /* 0: none */
};
struct uses {
    struct use few[USES_FEW]; /* of the first threads */
    struct use *more;         /* of all, once another thread has used it */
};

/* A large block that was freed, by the cells of its granules. */
struct freed_block {
    const struct cell *low, *high;
    uint32_t epoch, site; /* clock << 8 | thread of the free */
};

struct race_place {
    uint64_t site; /* of the earlier access: only the low half is known */
    thread_id thread;
    uint8_t size;
    bool writes, atomic, frees;
    const struct cell *cell; /* of the granule where the two accesses meet */
};

struct race {
    uint32_t generation;
    const uint32_t
        *setups;      /* RACE_SETUPS generations that count beside it, each at its remainder */
    uint32_t threads; /* capacity of every vector */
    uint32_t count;   /* threads so far: entries beyond are zero */
    epoch now;        /* of the thread that runs */
    uint32_t *clock;  /* … and its vector */
    struct race_thread {
        uint32_t *clock;
        uint32_t *acquired; /* seen by relaxed loads, waiting for an acquire fence; NULL */
        uint32_t *released; /* clock at the last release fence; NULL */
    } * thread;
    bool (*is_mute)(void);      /* for tests: what runs does not synchronise; NULL: all does */
    char *memory;               /* what handles are relative to */
    void *(*take)(size_t size); /* zeroed memory of this execution */
    /* Of the object that begins in this cell's granule, one of those of the access to an address.
     */
    struct uses *(*uses)(const void *address, const struct cell *cell);
    void (*undo)(struct cell *cell); /* keep this cell's content: it belongs to the set-up */
    void (*report)(const struct race_place *earlier, const void *address, uint8_t size, bool writes,
                   bool atomic, uint64_t site);
    /* Memory where an access may be wrong by itself, and where blocks are freed. The first access
     * to each of its cells in an execution goes to race_slow(). */
    uintptr_t watched_low, watched_size;
    void (*look)(const void *address, size_t size, bool writes, uint64_t site); /* NULL: nobody */
    /* One byte for each chunk of cells, not 0 once a cell of it was used in any execution; NULL:
     * all chunks count as touched, and no block as large. */
    uint8_t *touched;
    const struct cell *first_cell; /* of the first chunk */
    struct freed_block *freed;     /* large ones, by rising address */
    uint32_t freed_count, freed_max;
    void (*use_after_free)(const struct race_place *freed, const void *address, uint8_t size,
                           bool writes, bool atomic, uint64_t site);
};

/* A new execution; the fields above `thread` and the functions are set by the caller. */
void race_open(struct race *race);

/* Threads. */
void race_start(struct race *race, thread_id thread, thread_id parent); /* NO_THREAD: the first */
void race_start_like(struct race *race, thread_id thread,
                     thread_id other); /* neither knows more than then */
void race_join(struct race *race, thread_id ended);

/* What a thread and an object knew before an atomic access, in case that turns out to be a futile
 * iteration of a loop: a step that is no part of the class must not order anything. */
struct race_kept {
    uint32_t *clock, *acquired, *sync_clock;
    struct sync sync;
    bool valid, has_acquired, writes;
};
void race_keep(struct race *race, struct race_kept *kept, const struct sync *sync, bool writes);
void race_put_back(struct race *race, struct race_kept *kept, struct sync *sync);

/* Synchronisation objects. */
void race_learn(struct race *race, const uint32_t *clock);
void race_release(struct race *race, struct sync *sync);      /* replaces what was there */
void race_release_more(struct race *race, struct sync *sync); /* adds to it */
void race_fence(struct race *race, bool acquire, bool release);

/* An atomic access that reads, writes or both, with the given strength. What it acquires comes
 * before the access and what it releases includes it: so a plain write that the read value's writer
 * did before is no race. cells may be NULL: then the access itself is not looked at. */
struct race_atomic { /* passed in a register, not by way of memory */
    bool reads : 1, writes : 1, acquire : 1, release : 1;
};
void race_atomic(struct race *race, struct sync *sync, struct cell *cells, const void *address,
                 uint8_t size, struct race_atomic atomic, uint64_t site);

/* The access alone. */
void race_atomic_access(struct race *race, struct cell *cells, const void *address, uint8_t size,
                        bool writes, uint64_t site);

/* The running thread uses a synchronisation object. */
void race_use(struct race *race, struct uses *uses, struct cell *cell, const void *object,
              uint64_t site);

/* The same for nearly all uses: the thread has used the object before, and no plain write has come
 * since, so there is nothing to compare. False: race_use() must look. */
static inline bool race_used(const struct race *race, struct uses *uses, uint64_t site)
{
    thread_id me = race->now & 0xff;
    if (me >= USES_FEW && uses->more == NULL)
        return false;
    struct use *use = me < USES_FEW ? &uses->few[me] : &uses->more[me];
    if (use->clock - 1 >= USE_IS_STALE - 1)
        return false;
    use->clock = (uint32_t)race->now >> 8;
    use->site = (uint32_t)site;
    return true;
}

/* Plain accesses, a granule or more. */
void race_slow(struct race *race, struct cell *cell, const void *address, uint8_t mask,
               uint8_t size, bool writes, uint64_t site);
void race_free(struct race *race, struct cell *cells, const void *block, size_t size,
               uint64_t site);
bool race_freed(const struct race *race, struct cell *cell,
                struct race_place *out); /* who did, if somebody */
void race_renew(struct race *race, struct cell *cells, const void *block,
                size_t size); /* nobody has been there */

/* A set-up that this execution has in common with others left it. */
static inline bool race_is_setup(const struct race *race, uint32_t generation)
{
    return race->setups[generation % RACE_SETUPS] == generation;
}

static inline void race_switch(struct race *race, thread_id thread) /* who runs now */
{
    race->clock = race->thread[thread].clock;
    race->now = (epoch)race->generation << 32 | (epoch)race->clock[thread] << 8 | thread;
}

static inline void race_acquire(struct race *race, const struct sync *sync)
{
    if (sync->clock != NULL && (sync->by == NO_THREAD || race->clock[sync->by] < sync->at))
        race_learn(race, sync->clock);
}

static inline bool race_ordered(const struct race *race, epoch earlier)
{
    return ((uint32_t)earlier >> 8) <= race->clock[earlier & 0xff];
}

/* Whether the cell speaks of these bytes of its granule and of nothing more, in one comparison. */
static inline bool race_cell_is_simple(const struct cell *cell, uint8_t mask)
{
    const uint64_t not_asked = 0xffff0000ul << 32 | (uint64_t)CELL_LOGGED << 40;
    uint64_t more; /* to read_size */
    __builtin_memcpy(&more, &cell->more, sizeof more);
    return (more & ~not_asked) == (uint64_t)mask << 32;
}
_Static_assert(offsetof(struct cell, mask) == offsetof(struct cell, more) + 4 &&
                   offsetof(struct cell, flags) == offsetof(struct cell, more) + 5,
               "compared in one");

/* Whether the last access was the running thread's, in this epoch: then there is nothing to
 * compare. Where something raced there is: each further access may race with the same one. */
static inline __attribute__((always_inline)) bool
race_is_mine(const struct race *race, const struct cell *cell, uint8_t mask)
{
    epoch last = cell->read != 0 ? cell->read : cell->write;
    return last == race->now && race_cell_is_simple(cell, mask);
}

/* The cell is simple. Its last word is stored whole, as it is looked at: a load of what was stored
 * in parts has to wait for them. */
static inline __attribute__((always_inline)) void
race_note(const struct race *race, struct cell *cell, uint8_t size, bool writes, uint64_t site)
{
    uint64_t more;
    __builtin_memcpy(&more, &cell->more, sizeof more);
    if (writes) {
        cell->write = race->now;
        cell->write_site = (uint32_t)site;
        more = (more & ~(0xfful << 48)) | (uint64_t)size << 48;
        cell->read = 0;
    } else {
        cell->read = race->now;
        cell->read_site = (uint32_t)site;
        more = (more & ~(0xfful << 56)) | (uint64_t)size << 56;
    }
    __builtin_memcpy(&cell->more, &more, sizeof more);
}
_Static_assert(offsetof(struct cell, write_size) == offsetof(struct cell, more) + 6 &&
                   offsetof(struct cell, read_size) == offsetof(struct cell, more) + 7 &&
                   offsetof(struct cell, read_site) == offsetof(struct cell, write_site) + 4,
               "stored in one");

/* The first access of this execution: what older ones left is dropped. By words, for the same
 * reason. */
static inline __attribute__((always_inline)) void race_begin(const struct race *race,
                                                             struct cell *cell, uint8_t mask,
                                                             uint8_t size, bool writes,
                                                             uint64_t site)
{
    uint64_t sites = writes ? (uint32_t)site : site << 32;
    uint64_t more = (uint64_t)mask << 32 | (uint64_t)size << (writes ? 48 : 56);
    cell->write = writes ? race->now : (epoch)race->generation << 32;
    cell->read = writes ? 0 : race->now;
    __builtin_memcpy(&cell->write_site, &sites, sizeof sites);
    __builtin_memcpy(&cell->more, &more, sizeof more);
}

/* The same for the running thread's further accesses in one epoch, nearly all there are; false: it
 * is not one. Which of read and write came last is no branch: nothing could predict it. */
static inline __attribute__((always_inline)) bool race_again(const struct race *race,
                                                             struct cell *cell, uint8_t mask,
                                                             uint8_t size, bool writes,
                                                             uint64_t site)
{
    epoch read = cell->read, last = cell->write;
    __asm__("test %1, %1\n\tcmovne %1, %0" : "+r"(last) : "r"(read) : "cc");
    if (last != race->now || !race_cell_is_simple(cell, mask))
        return false;
    race_note(race, cell, size, writes, site);
    return true;
}

/* Within one granule: address % GRANULE + size <= GRANULE. What nearly always happens is done here:
 * a cell of this execution that no other width, reader or atomic access complicates and whose
 * accesses are all ordered before this one. The site kept is always the latest: once it is a
 * scheduling point, others can come before it and see the one before, so that in the end every
 * racing site is found. */
static inline void race_plain(struct race *race, struct cell *cell, const void *address,
                              uint8_t mask, uint8_t size, bool writes, uint64_t site)
{
    uint32_t generation = (uint32_t)(cell->write >> 32);
    if (race_is_mine(race, cell, mask) ||
        (generation == race->generation && race_cell_is_simple(cell, mask) &&
         race_ordered(race, cell->write) && race_ordered(race, cell->read)))
        race_note(race, cell, size, writes, site);
    else if (generation != race->generation && !race_is_setup(race, generation) &&
             (uintptr_t)address - race->watched_low >= race->watched_size)
        race_begin(race, cell, mask, size, writes, site);
    else
        race_slow(race, cell, address, mask, size, writes, site);
}

#endif
