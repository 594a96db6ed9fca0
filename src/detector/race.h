/* Data races, by happens-before: FastTrack (Flanagan and Freund 2009) with full read vectors, byte
 * exact, and with C11's synchronises-with for atomic accesses.
 *
 * Every four bytes of the program have a cell. An epoch names an access: generation of the
 * execution, clock and thread. What an earlier generation left in a cell counts as empty, so cells
 * are never cleared. A set-up is the steps before a checkpoint: only the cells that it wrote are
 * restored (undo).
 *
 * When a large block is freed, not all of its cells are written: the free visits the chunks that
 * were ever touched, and notes the block. A cell that is first used afterwards learns from that
 * note that it was freed. So a block costs what was accessed of it, not what was allocated. */
#ifndef DETECTOR_RACE_H
#define DETECTOR_RACE_H

#include <stddef.h>

#include "core/thread.h"

enum { GRANULE = 4, RACE_CLOCK_BITS = 24, RACE_SETUPS = 32 };
/* Cells in a chunk; chunks that make a block large. */
enum { RACE_CHUNK = 4096, RACE_CHUNKS_MANY = 4 };
enum { RACE_SIZE_MAX = UINT8_MAX }; /* access size that stands for this many bytes or more */

typedef uint64_t epoch; /* generation << 32 | clock << 8 | thread */

struct cell {
    /* Last plain write; clock 0: none. The generation of the cell is that of this epoch. */
    epoch write;
    epoch read; /* last plain read; `more` has the others if one epoch is not enough */
    uint32_t write_site, read_site; /* low halves of the code addresses */
    uint32_t more; /* handle of a struct cell_more in the execution's memory; 0: none */
    uint8_t mask;  /* bytes of the granule that write and read describe; 0: see `more` or flags */
    uint8_t flags; /* enum cell_flag */
    uint8_t write_size, read_size;
};
_Static_assert(sizeof(struct cell) == 32, "the shadow is eight times the program's memory");

enum cell_flag {
    CELL_FREED = 1,
    CELL_LOGGED = 2,
    CELL_RACED = 4,
    /* A synchronisation object begins here; its struct uses knows which threads use it. */
    CELL_USED = 8,
};

struct reads { /* Last accesses, one entry for each thread. */
    uint32_t *clock, *site;
};

struct cell_more {
    struct reads reads; /* plain reads since the last write, if several threads read */
    struct cell *bytes; /* one cell for each byte, once accesses of different widths met */
    struct reads atomic_reads, atomic_writes;
};

struct sync {        /* The clock that an acquire of this object learns. */
    uint32_t *clock; /* NULL: nothing */
    /* Clock of the thread that released last; a thread that knows it knows all of `clock`. */
    uint32_t at;
    thread_id by; /* the thread that released last; NO_THREAD: several threads released */
};

/* The last use of a synchronisation object by each thread (lock, unlock, wait, post …). Uses do not
 * race with each other. They race with every plain write of the object's first granule, which
 * initialising, destroying, overwriting and freeing the object write. */
enum { USES_FEW = 4, USE_IS_STALE = 1 << 30 /* in a clock: a plain write came after this use */ };
struct use {
    uint32_t clock, site; /* 0: no use */
};
struct uses {
    struct use few[USES_FEW]; /* uses of the first threads */
    struct use *more;         /* uses of all threads, once a later thread has used the object */
};

/* A large freed block, by the cells of its granules. */
struct freed_block {
    const struct cell *low, *high;
    uint32_t epoch, site; /* the epoch is clock << 8 | thread of the free */
};

struct race_place {
    uint64_t site; /* site of the earlier access; only the low half is known */
    thread_id thread;
    uint8_t size;
    bool writes, atomic, frees;
    const struct cell *cell; /* cell of the granule where the two accesses meet */
};

struct race {
    uint32_t generation;
    /* RACE_SETUPS further generations that count as this execution, each at its remainder. */
    const uint32_t *setups;
    uint32_t threads; /* capacity of every vector */
    uint32_t count;   /* threads so far; entries beyond are zero */
    epoch now;        /* epoch of the running thread */
    uint32_t *clock;  /* vector of the running thread */
    struct race_thread {
        uint32_t *clock;
        uint32_t *acquired; /* clocks that relaxed loads saw, until an acquire fence; NULL: none */
        uint32_t *released; /* clock at the last release fence; NULL: none */
    } * thread;
    /* For tests: whether the running code does not synchronise; NULL: all code does. */
    bool (*is_mute)(void);
    char *memory;               /* base address of handles */
    void *(*take)(size_t size); /* takes zeroed memory of this execution */
    /* Uses of the object that begins in this cell's granule; the access to `address` covers the
     * cell. */
    struct uses *(*uses)(const void *address, const struct cell *cell);
    void (*undo)(struct cell *cell); /* saves this cell's content, which belongs to the set-up */
    void (*report)(const struct race_place *earlier, const void *address, uint8_t size, bool writes,
                   bool atomic, uint64_t site);
    /* Memory where an access may be an error by itself, and where blocks are freed. The first
     * access to each of its cells in an execution goes to race_slow(). */
    uintptr_t watched_low, watched_size;
    /* NULL: no watcher. */
    void (*look)(const void *address, size_t size, bool writes, uint64_t site);
    /* One byte for each chunk of cells: not 0 once any execution has used a cell of it. NULL: all
     * chunks count as touched, and no block counts as large. */
    uint8_t *touched;
    const struct cell *first_cell; /* first cell of the first chunk */
    struct freed_block *freed;     /* large blocks, by rising address */
    uint32_t freed_count, freed_max;
    void (*use_after_free)(const struct race_place *freed, const void *address, uint8_t size,
                           bool writes, bool atomic, uint64_t site);
};

/* Begins an execution. The caller sets the fields above `thread` and the functions. */
void race_open(struct race *race);

/* Starts a thread. With parent NO_THREAD it is the first one. */
void race_start(struct race *race, thread_id thread, thread_id parent);
/* Gives a new thread the clock that `other` began with: neither is ordered before the other. */
void race_start_like(struct race *race, thread_id thread, thread_id other);
void race_join(struct race *race, thread_id ended);

/* The clocks that a thread and an object had before an atomic access. They are restored if the
 * access turns out to be a futile iteration of a loop: a step that is no part of the class must not
 * order anything. */
struct race_kept {
    uint32_t *clock, *acquired, *sync_clock;
    struct sync sync;
    bool valid, has_acquired, writes;
};
void race_keep(struct race *race, struct race_kept *kept, const struct sync *sync, bool writes);
void race_put_back(struct race *race, struct race_kept *kept, struct sync *sync);

void race_learn(struct race *race, const uint32_t *clock);
void race_release(struct race *race, struct sync *sync);      /* replaces what the object knew */
void race_release_more(struct race *race, struct sync *sync); /* adds to what the object knew */
void race_fence(struct race *race, bool acquire, bool release);

/* An atomic access that reads, writes or both, with the given memory order. What it acquires
 * happens before the access, and what it releases includes the access. So a plain write that the
 * writer of the value read did before is no race. With cells NULL the access itself is not
 * checked. */
struct race_atomic { /* A struct of this size is passed in a register. */
    bool reads : 1, writes : 1, acquire : 1, release : 1;
};
void race_atomic(struct race *race, struct sync *sync, struct cell *cells, const void *address,
                 uint8_t size, struct race_atomic atomic, uint64_t site);

/* Checks the atomic access only; nothing is acquired or released. */
void race_atomic_access(struct race *race, struct cell *cells, const void *address, uint8_t size,
                        bool writes, uint64_t site);

/* Notes that the running thread uses a synchronisation object. */
void race_use(struct race *race, struct uses *uses, struct cell *cell, const void *object,
              uint64_t site);

/* The fast path of race_use(): the thread has used the object before, and no plain write came
 * since, so there is nothing to compare. Returns false if race_use() must be called. */
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

/* Plain accesses of a granule or more, frees and allocations. */
void race_slow(struct race *race, struct cell *cell, const void *address, uint8_t mask,
               uint8_t size, bool writes, uint64_t site);
void race_free(struct race *race, struct cell *cells, const void *block, size_t size,
               uint64_t site);
/* Whether the cell is free; `out` is the free. */
bool race_freed(const struct race *race, struct cell *cell, struct race_place *out);
/* Makes a block count as never accessed. */
void race_renew(struct race *race, struct cell *cells, const void *block, size_t size);

/* Whether a set-up that this execution shares with others has this generation. */
static inline bool race_is_setup(const struct race *race, uint32_t generation)
{
    return race->setups[generation % RACE_SETUPS] == generation;
}

/* Makes `thread` the running thread. */
static inline void race_switch(struct race *race, thread_id thread)
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

/* Whether the cell describes exactly these bytes of its granule and nothing else, in one
 * comparison. */
static inline bool race_cell_is_simple(const struct cell *cell, uint8_t mask)
{
    const uint64_t not_asked = 0xffff0000ul << 32 | (uint64_t)CELL_LOGGED << 40;
    uint64_t more; /* the fields from `more` to `read_size` */
    __builtin_memcpy(&more, &cell->more, sizeof more);
    return (more & ~not_asked) == (uint64_t)mask << 32;
}
_Static_assert(offsetof(struct cell, mask) == offsetof(struct cell, more) + 4 &&
                   offsetof(struct cell, flags) == offsetof(struct cell, more) + 5,
               "compared in one");

/* Whether the last access was the running thread's, in this epoch: then there is nothing to
 * compare. After a race there is something: each further access may race with the same access. */
static inline __attribute__((always_inline)) bool
race_is_mine(const struct race *race, const struct cell *cell, uint8_t mask)
{
    epoch last = cell->read != 0 ? cell->read : cell->write;
    return last == race->now && race_cell_is_simple(cell, mask);
}

/* Notes an access in a simple cell. Its last word is stored whole because it is loaded whole: a
 * load of a word that was stored in parts has to wait for the parts. */
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

/* The cell's chunk counts as used from now on. */
static inline void race_touch(const struct race *race, const struct cell *cell)
{
    if (race->touched != NULL)
        race->touched[(size_t)(cell - race->first_cell) / RACE_CHUNK] = 1;
}

/* Notes the first access of this execution; what older executions left is dropped. It stores whole
 * words, for the same reason as race_note(). */
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

/* The fast path for further accesses of the running thread in one epoch, which nearly all accesses
 * are. Returns false if this access is not one. Choosing the later of read and write takes no
 * branch, since no branch predictor could predict it. */
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

/* A plain access within one granule: address % GRANULE + size <= GRANULE. The common case is done
 * here: a cell of this execution with one width, one reader and no atomic access, whose accesses
 * all happen before this one. The cell keeps the latest site. Once that site is a scheduling point,
 * other threads can come before it and meet the site before, so that in the end every racing site
 * is found. */
static inline void race_plain(struct race *race, struct cell *cell, const void *address,
                              uint8_t mask, uint8_t size, bool writes, uint64_t site)
{
    uint32_t generation = (uint32_t)(cell->write >> 32);
    if (race_is_mine(race, cell, mask) ||
        (generation == race->generation && race_cell_is_simple(cell, mask) &&
         race_ordered(race, cell->write) && race_ordered(race, cell->read)))
        race_note(race, cell, size, writes, site);
    else if (generation != race->generation && !race_is_setup(race, generation) &&
             (uintptr_t)address - race->watched_low >= race->watched_size) {
        race_touch(race, cell);
        race_begin(race, cell, mask, size, writes, site);
    } else {
        race_slow(race, cell, address, mask, size, writes, site);
    }
}

#endif
