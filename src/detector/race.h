/* Data races, by happens-before: FastTrack (Flanagan and Freund 2009) with full read vectors, byte
 * exact, and with C11's synchronises-with for atomic accesses.
 *
 * Every four bytes of the program have a cell. An epoch names an access: generation of the
 * execution, clock and thread. What an earlier generation left in a cell counts as empty, so cells
 * are never cleared; only cells that a set-up, the steps before a checkpoint, wrote are put back
 * (undo). */
#ifndef DETECTOR_RACE_H
#define DETECTOR_RACE_H

#include <stddef.h>

#include "core/thread.h"

enum { GRANULE = 4, RACE_CLOCK_BITS = 24, RACE_SETUPS = 32 };
enum { RACE_SIZE_MAX = UINT8_MAX }; /* of an access: so many bytes or more */

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

enum cell_flag { CELL_FREED = 1, CELL_LOGGED = 2, CELL_RACED = 4 };

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
    char *memory;                    /* what handles are relative to */
    void *(*take)(size_t size);      /* zeroed memory of this execution */
    void (*undo)(struct cell *cell); /* keep this cell's content: it belongs to the set-up */
    void (*report)(const struct race_place *earlier, const void *address, uint8_t size, bool writes,
                   bool atomic, uint64_t site);
    uintptr_t watched_low, watched_size; /* memory where an access may be wrong by itself: … */
    void (*look)(const void *address, size_t size, bool writes, uint64_t site); /* … is this one? */
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

/* Plain accesses, a granule or more. */
void race_slow(struct race *race, struct cell *cell, const void *address, uint8_t mask,
               uint8_t size, bool writes, uint64_t site);
void race_free(struct race *race, struct cell *cells, const void *block, size_t size,
               uint64_t site);
bool race_freed(const struct race *race, struct cell *cell,
                struct race_place *out);                             /* who did, if somebody */
void race_renew(struct race *race, struct cell *cells, size_t size); /* nobody has been there */

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
