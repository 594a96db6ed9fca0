#include "runtime/snapshot/snapshot.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/arch/x86_64/cpu.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/maps.h"

enum { WIDE = 128 /* bytes at once, see copy.S */ };
enum { CHUNK = 1024, STACK_PAGES_HOT = 4, PAGES_SIZE_LOG = 32, ZERO_BY_KERNEL = 1 << 20 };

static bool taken; /* otherwise there is no struct snapshot to look at */

_Static_assert(sizeof(struct snapshot) <= 1 << 24, "the pages follow");

char *page_save(const char *at)
{
    if ((uintptr_t)snapshots.save_end + PAGE > SAVE_ADDRESS + SAVE_SIZE)
        give_up("the program has too much memory to be saved");
    char *copy = snapshots.save_end;
    snapshots.save_end += PAGE;
    memcpy(copy, at, PAGE);
    return copy;
}

static bool are_zeros(const char *from)
{
    uint64_t all = 0;
    for (size_t i = 0; i < WIDE; i += sizeof all)
        all |= *(const uint64_t *)(from + i);
    return all == 0;
}

/* To clear takes half of the time that copying does, and most of a stack or a heap is zero. */
void page_measure(struct page *page)
{
    page->from = page->to = 0;
    if (page->now == NULL)
        return;
    for (uint16_t at = 0; at < page->size; at += WIDE) {
        if (at + WIDE <= page->size && are_zeros(page->now + at))
            continue;
        page->from = page->to == 0 ? at : page->from;
        page->to = page->size - at < WIDE ? page->size : at + WIDE;
    }
}

/* By words, this is done often. */
bool page_is(const struct page *page, const char *expected)
{
    const uint64_t *now = (const uint64_t *)page->at, *then = (const uint64_t *)expected;
    uint64_t differs = 0;
    for (size_t i = 0; i < PAGE / sizeof *now; i++)
        differs |= then != NULL ? now[i] ^ then[i] : now[i];
    return differs == 0;
}

void page_make_hot(const struct region *region, uint32_t index)
{
    struct page *page = &pages[index];
    if (page->hot)
        return;
    page->hot = 1;
    snapshots.order_is_old = true;
    page_measure(page);
    page->next = snapshots.hot[region->group];
    snapshots.hot[region->group] = index + 1;
}

struct region *region_add(char *low, char *high, uint16_t group, bool anonymous, bool stack)
{
    if (snapshots.region_count == REGIONS_MAX)
        give_up("the program has too many mappings to be put back; try --isolate fork");
    struct region *region = &snapshots.regions[snapshots.region_count++];
    *region = (struct region){.low = low,
                              .high = high,
                              .first = snapshots.page_count,
                              .group = group,
                              .anonymous = anonymous,
                              .stack = stack};
    for (char *at = low; at < high; at += PAGE)
        pages[snapshots.page_count++] = (struct page){.at = at, .size = PAGE};
    return region;
}

uint32_t region_pages(const struct region *region)
{
    return (uint32_t)((region->high - region->low) / (long)PAGE);
}

/* Calls visit for every page of a region, and says whether it was ever touched. */
static bool region_visit(const struct region *region, bool (*visit)(struct page *, bool present))
{
    uint64_t entries[CHUNK];
    uint32_t count = region_pages(region);
    for (uint32_t i = 0; i < count; i += CHUNK) {
        uint32_t part = count - i < CHUNK ? count - i : CHUNK;
        maps_present(region->low + i * PAGE, part, entries);
        for (uint32_t k = 0; k < part; k++)
            if (!visit(&pages[region->first + i + k], maps_is_present(entries[k])))
                return false;
    }
    return true;
}

static bool save_present(struct page *page, bool present)
{
    if (present)
        page->start = page->now = page_save(page->at);
    return true;
}

static bool save_always(struct page *page, bool present)
{
    return save_present(page, true);
}

static void region_save(struct region *region)
{
    region_visit(region, region->anonymous ? save_present : save_always);
}

static bool keep_present(struct page *page, bool present)
{
    if (present)
        page->now = page_save(page->at);
    return true;
}

void region_keep(const struct region *region)
{
    region_visit(region, keep_present);
}

static void add_mapping(char *low, char *high, bool file)
{
    uintptr_t at = (uintptr_t)low;
    if (plan_is_ours(at))
        return;
    if (at >= STACKS_ADDRESS && at < HEAPS_ADDRESS + THREADS_MAX * HEAP_SIZE)
        return;
    region_save(region_add(low, high, GROUP_ALWAYS, !file, false));
}

static void add_stacks(void)
{
    for (uint32_t i = 0; i < rt.threads_ready; i++) {
        const struct stack *stack = &rt.stacks[i];
        struct region *region = region_add(stack->low, stack->high, (uint16_t)i, true, true);
        uint32_t last = snapshots.page_count - 1;
        pages[last].size = (uint16_t)(stack->start - pages[last].at);
        uint32_t hot = snapshots.tracking == TRACKING_PROTECT ? STACK_PAGES_HOT : 1;
        for (uint32_t k = 0; k < hot; k++)
            page_make_hot(region, last - k);
        memset(stack->high - hot * PAGE, 0, hot * PAGE);
        if (stack->top > stack->high)
            region_save(region_add(stack->high, stack->top, (uint16_t)i, true, false));
    }
}

static void add_setup_heap(void)
{
    char *low = heap_start(HEAP_SETUP), *end = heap_end(HEAP_SETUP);
    if (end > low)
        region_save(region_add(low, (char *)(((uintptr_t)end + PAGE - 1) & ~(PAGE - 1)),
                               GROUP_ALWAYS, true, false));
}

void snapshot_take(void)
{
    if (os_map(SNAPSHOT_ADDRESS, 1ul << PAGES_SIZE_LOG) == NULL ||
        os_map(SAVE_ADDRESS, SAVE_SIZE) == NULL)
        give_up("no room for copies of the program's memory");
    taken = true;
    snapshots.wide = cpu_has_wide_registers();
    snapshots.save_end = (char *)SAVE_ADDRESS;
    snapshots.page_descriptor = descriptor_raise(os_open("/proc/self/pagemap"));
    if (!track_open(rt.options->tracking))
        give_up("userfaultfd is not permitted here; use --tracking protect, or --isolate fork");
    the_board->control.tracking = snapshots.tracking;
    maps_writable(add_mapping);
    add_setup_heap();
    add_stacks();
    for (uint32_t i = 0; i < snapshots.region_count; i++)
        track_add(&snapshots.regions[i]);
    snapshots.start_region_count = snapshots.region_count;
}

bool snapshot_is_taken(void)
{
    return taken;
}

bool snapshot_fault(void *address)
{
    if (!taken)
        return false;
    char *at = (char *)((uintptr_t)address & ~(PAGE - 1));
    for (uint32_t i = 0; i < snapshots.region_count; i++) {
        const struct region *region = &snapshots.regions[i];
        if (at < region->low || at >= region->high)
            continue;
        uint32_t index = region->first + (uint32_t)((at - region->low) / (long)PAGE);
        if (pages[index].hot && snapshots.tracking == TRACKING_PROTECT)
            return false; /* it was writable: a crash of the program's own */
        page_make_hot(region, index);
        track_allow(at);
        return true;
    }
    return false;
}

/* Sizes are multiples of 8. What is left of a wide copy is done by one more that overlaps it. */
static void copy(char *to, const char *from, size_t size)
{
    if (likely(snapshots.wide) && size >= WIDE) {
        copy_wide(to, from, size & ~(WIDE - 1ul));
        if (size % WIDE != 0)
            copy_wide(to + size - WIDE, from + size - WIDE, WIDE);
        return;
    }
    for (size_t i = 0; i < size; i += sizeof(uint64_t))
        *(uint64_t *)(to + i) = *(const uint64_t *)(from + i);
}

static void clear(char *to, size_t size)
{
    if (likely(snapshots.wide) && size >= WIDE) {
        clear_wide(to, size & ~(WIDE - 1ul));
        if (size % WIDE != 0)
            clear_wide(to + size - WIDE, WIDE);
        return;
    }
    for (size_t i = 0; i < size; i += sizeof(uint64_t))
        *(uint64_t *)(to + i) = 0;
}

void page_put_back(const struct page *page)
{
    uint32_t from = page->from, to = page->to;
    if (from > 0)
        clear(page->at, from);
    if (to > from)
        copy(page->at + from, page->now + from, to - from);
    if (page->size > to)
        clear(page->at + to, page->size - to);
}

static void put_group_back(uint32_t group)
{
    for (uint32_t i = snapshots.hot[group]; i != 0; i = pages[i - 1].next)
        page_put_back(&pages[i - 1]);
}

static void zero(char *from, char *to)
{
    if (to - from < ZERO_BY_KERNEL) {
        clear(from, (size_t)(to - from));
        return;
    }
    char *low = (char *)(((uintptr_t)from + PAGE - 1) & ~(PAGE - 1));
    char *high = (char *)((uintptr_t)to & ~(PAGE - 1));
    memset(from, 0, (size_t)(low - from));
    os_call(SYS_madvise, (long)low, high - low, MADV_DONTNEED, 0, 0, 0);
    memset(high, 0, (size_t)(to - high));
}

/* Beyond what the checkpoint knows; up to a page boundary its pages are put back as a whole. */
static void zero_heaps(void)
{
    const struct saved *last = snapshot_last();
    for (uint32_t thread = 0; thread < ex.thread_count; thread++) {
        if (ex.threads[thread].heap.heap_end == NULL) /* it has had none */
            continue;
        char *from = heap_start(thread), *to = heap_end(thread);
        if (last != NULL && thread < last->heap_threads)
            from = page_end(last->heap_end[thread]);
        if (to > from)
            zero(from, to);
    }
}

static bool page_is_right(struct page *page, bool present)
{
    static const char zeros[PAGE];
    if (page->now == NULL && !present)
        return true;
    return memcmp(page->at, page->now != NULL ? page->now : zeros, PAGE) == 0;
}

/* Without write faults: what did the first execution change so far? */
void region_find_changed(const struct region *region)
{
    uint64_t entries[CHUNK];
    uint32_t count = region_pages(region);
    for (uint32_t i = 0; i < count; i += CHUNK) {
        uint32_t part = count - i < CHUNK ? count - i : CHUNK;
        maps_present(region->low + i * PAGE, part, entries);
        for (uint32_t k = 0; k < part; k++)
            if (!page_is_right(&pages[region->first + i + k], maps_is_present(entries[k])))
                page_make_hot(region, region->first + i + k);
    }
}

static void learn_by_comparison(void)
{
    snapshots.learning = false;
    for (uint32_t i = 0; i < snapshots.region_count; i++) {
        struct region *region = &snapshots.regions[i];
        if (region->stack)
            continue;
        region_find_changed(region);
        track_add(region);
    }
}

/* Of a large arena most stays as it was at a checkpoint: beyond this, pages that were written are
 * put back, as those of the program are. */
size_t arena_copied(size_t used)
{
    return snapshots.tracking == TRACKING_USERFAULT && used > ARENA_COPIED ? ARENA_COPIED : used;
}

void execution_copy(struct execution *to, char *arena_to, const struct execution *from,
                    const char *arena_from)
{
    size_t threads = from->thread_count;
    copy((char *)to, (const char *)from,
         offsetof(struct execution, pending) + threads * sizeof(struct op));
    struct thread *out = to->threads;
    for (size_t i = 0; i < threads; i++) {
        const struct thread *in = &from->threads[i];
        uint32_t reads = in->await.count; /* and the one that is pending */
        reads += reads < AWAIT_READS_MAX;
        copy((char *)&out[i], (const char *)in,
             offsetof(struct thread, await.reads) + reads * sizeof(struct await_read));
    }
    copy(arena_to, arena_from, arena_copied(from->used));
}
_Static_assert(offsetof(struct execution, pending) % 8 == 0 && sizeof(struct op) % 8 == 0 &&
                   offsetof(struct thread, await.reads) % 8 == 0 &&
                   sizeof(struct await_read) % 8 == 0,
               "copied by words");

void snapshot_reset(void)
{
    if (unlikely(snapshots.learning))
        learn_by_comparison();
    put_group_back(GROUP_ALWAYS);
    put_group_back(GROUP_OURS);
    for (uint32_t thread = 0; thread < ex.thread_count; thread++)
        put_group_back(thread);
    zero_heaps();
    memory_forget(snapshot_last() != NULL ? snapshot_last()->undo_count : 0);
    world_reset();
    snapshot_return();
}

const struct region *region_of(uint32_t index)
{
    const struct region *region = snapshots.regions;
    while (index - region->first >= region_pages(region))
        region++;
    return region;
}

bool snapshot_verify(void)
{
    for (uint32_t i = 0; i < snapshots.region_count; i++)
        if (!region_visit(&snapshots.regions[i], page_is_right))
            return false;
    return true;
}

bool snapshot_knows_changes(void)
{
    return taken && !snapshots.learning;
}
