/* Putting the program back: all writable memory as it was when the program began, or at a
 * checkpoint.
 *
 * Every page is write-protected at first ("cold"). The first write to a page, ever, makes it "hot":
 * it stays writable, and each reset copies it back. In the steady state there is no fault and no
 * system call. Stacks are pages that are zero at first; the heap is zeroed as far as it was
 * used. */
#ifndef RUNTIME_SNAPSHOT_SNAPSHOT_H
#define RUNTIME_SNAPSHOT_SNAPSHOT_H

#include "runtime/engine/runtime.h"

struct page {
    char *at;
    char *start;        /* what it held when the program began; NULL: zeros */
    char *now;          /* what reset puts back: the same, or what the last checkpoint saw */
    uint32_t next;      /* in a list of hot pages, as an index + 1 */
    uint8_t hot, stays; /* so whatever the set-up does */
    uint16_t size;      /* bytes that can have changed: all, but for the first page of a stack */
    uint16_t from, to;  /* of a hot one: the bytes of `now` beyond are zero */
};

struct region {
    char *low, *high;
    uint32_t first; /* index of its first page */
    uint16_t group; /* GROUP_ALWAYS, GROUP_OURS, or the thread whose stack or TLS it is */
    bool anonymous; /* need not be made so before it can be tracked */
    bool stack;
};
/* Groups of pages: of each thread; the program's others; and ours, of the execution's arena. */
enum { GROUP_ALWAYS = THREADS_MAX, GROUP_OURS, GROUPS };
enum { REGIONS_MAX = 4096, ARENA_COPIED = 1 << 17 /* bytes, whole pages */ };
enum { ORDERED_MAX = 1 << 16 };

struct saved {   /* a checkpoint; it has copies only of what has changed since the one before */
    char *begin; /* of what it takes */
    struct saved_page {
        char *before; /* what `now` was */
        uint32_t index;
        uint16_t from, to;
    } * copies;
    uint32_t copy_count;
    uint32_t pages_before,
        regions_before; /* those behind are parts of heaps and the arena that it has added */
    uint32_t heap_threads;
    size_t undo_count;           /* of rt, there */
    struct execution *execution; /* copy of ex */
    char *arena;                 /* the arena's memory, as far as that is copied each time */
    char *heap_end[THREADS_MAX];
};

struct snapshot {
    enum tracking tracking;
    bool wide;     /* pages are copied with wide registers */
    bool learning; /* nothing is protected yet: see what the first execution writes */
    int fault_descriptor, page_descriptor; /* userfaultfd; /proc/self/pagemap */
    uint32_t region_count, start_region_count;
    uint32_t page_count;
    uint32_t hot[GROUPS]; /* lists of hot pages */
    char *save_end;
    struct saved saved[LEVELS_MAX];
    uint32_t saved_count;
    struct region regions[REGIONS_MAX];
    bool order_is_old;      /* pages have become hot or cold since these were put in order: */
    uint32_t ordered_count; /* hot pages that are there from the start, but for stacks, by rising
                               address in a region */
    uint32_t ordered[ORDERED_MAX];
};

#define snapshots (*(struct snapshot *)SNAPSHOT_ADDRESS)
#define pages     ((struct page *)(SNAPSHOT_ADDRESS + (1ul << 24)))

bool snapshot_is_taken(void); /* otherwise there is no struct snapshot to look at */
void snapshot_take(void);     /* at the start; nothing of the program has run */
void snapshot_reset(
    void); /* back at the last checkpoint, with ex as it was there, or at the start */
bool snapshot_verify(void);        /* all memory is as it should be after a reset */
bool snapshot_knows_changes(void); /* changed pages are known: all are in the lists of hot pages */
/* A digest of these words, but for stacks; their number is added, and beyond `most` it is given up.
 */
uint64_t snapshot_digest(uint64_t *looked_at, uint64_t most);
/* Words that are not what they were when the program began, always in the same order; but for the
 * stacks and heaps of threads, and for the thread-local variables of those that have ended. false:
 * there are too many pages. */
bool snapshot_each_changed(void (*visit)(const uint64_t *word));
bool snapshot_fault(void *address); /* a protected page was written: true if it is one of ours */

/* levels.c: checkpoints, one behind the other */
void snapshot_checkpoint(
    void); /* in an execution that began at the last: later resets come back to here */
void snapshot_drop(uint32_t from); /* between executions: the how-manieth and those behind it */
void snapshot_return(void);        /* ex as it was at the last, if there is one */
bool snapshot_has_room(void);      /* for one more */
size_t snapshot_size(void);        /* bytes that one would take now, at most */
size_t snapshot_kept(void);        /* memory that checkpoints behind the first take */

static inline const struct saved *snapshot_last(void) /* NULL: there is none */
{
    return snapshots.saved_count > 0 ? &snapshots.saved[snapshots.saved_count - 1] : NULL;
}

/* snapshot.c: pages and regions */
char *page_save(const char *at);
void page_measure(struct page *page); /* `from` and `to` */
void page_make_hot(const struct region *region, uint32_t index);
void page_put_back(const struct page *page);
bool page_is(const struct page *page, const char *expected); /* NULL: zeros */
struct region *region_add(char *low, char *high, uint16_t group, bool anonymous, bool stack);
const struct region *region_of(uint32_t index);
/* Reset puts the region's pages back as they are now; it is anonymous, and not tracked yet. */
void region_keep(const struct region *region);
uint32_t region_pages(const struct region *region);
void region_find_changed(
    const struct region *region); /* without write faults: its pages become hot */
size_t arena_copied(size_t used);
void execution_copy(struct execution *to, char *arena_to, const struct execution *from,
                    const char *arena_from);

static inline char *page_end(char *at) /* the next boundary */
{
    return (char *)(((uintptr_t)at + PAGE - 1) & ~(PAGE - 1));
}

/* track.c: how the first write to a page is seen */
bool track_open(enum tracking wanted);
void track_add(struct region *region); /* protects all of it that is cold */
void track_drop(struct region *region);
void track_protect(char *page);
void track_allow(char *page);

/* A descriptor that the program will not come across. */
int descriptor_raise(int descriptor);

/* copy.S: sizes are multiples of 128 */
void copy_wide(void *to, const void *from, size_t size);
void clear_wide(void *to, size_t size);

/* world.c: what is not memory */
void world_open(void);
void world_reset(void);
void world_ready(void); /* before each execution: files are put back, the output is empty */
void world_leave(void); /* the process ends: what it shares with others is as it was */
void world_written(struct written *out); /* by the execution that has ended, where it is compared */
void world_hold(uint32_t level);   /* a checkpoint is taken: reset comes back to what is open now */
void world_let_go(uint32_t level); /* this level and those behind it are dropped */
bool world_has_mappings(void);
/* Visits mappings of the execution, as far as they were noted: some may be gone. false: there may
 * be more. */
bool world_each_mapping(void (*visit)(char *low, char *high));
bool world_is_checkable(void); /* a checkpoint may be taken: nothing outside of memory changed */

/* files.c: those that the user named */
void files_put_back(void);
void files_written(struct written *out, const char *path);

#endif
