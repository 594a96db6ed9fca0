/* Checkpoints, one behind the other: each keeps what has changed since the one before, so that the
 * last ones can be dropped without running anything again.
 *
 * Between executions all memory is as at the last of them. A page that one has copied is put back
 * to what it was at the one before when it is dropped; parts of heaps and of the execution's arena
 * that it has added are empty again. */
#include "runtime/engine/upper.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/sparse.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/snapshot.h"

static size_t whole_pages(size_t size)
{
    return (size + PAGE - 1) & ~(PAGE - 1);
}

static bool next_group(uint32_t *group)
{
    ++*group;
    if (*group >= ex.thread_count && *group < GROUP_ALWAYS) /* threads that have not begun */
        *group = GROUP_ALWAYS;
    return *group < GROUPS;
}

static uint32_t count_hot(void)
{
    uint32_t count = 0, group = 0;
    do
        for (uint32_t i = snapshots.hot[group]; i != 0; i = pages[i - 1].next)
            count++;
    while (next_group(&group));
    return count;
}

bool snapshot_has_room(void)
{
    return snapshots.saved_count < LEVELS_MAX &&
           snapshots.region_count + ex.thread_count + 1u <= REGIONS_MAX;
}

size_t snapshot_size(void)
{
    size_t size = sizeof(struct execution) + ex.used + count_hot() * PAGE;
    const struct saved *last = snapshot_last();
    for (uint32_t thread = 0; thread < ex.thread_count; thread++) {
        bool known = last != NULL && thread < last->heap_threads;
        size += (size_t)(heap_end(thread) - (known ? last->heap_end[thread] : heap_start(thread)));
    }
    return size;
}

size_t snapshot_kept(void)
{
    return snapshots.saved_count < 2 ? 0 : (size_t)(snapshots.save_end - snapshots.saved[1].begin);
}

static void copy_group(struct saved *saved, uint32_t group)
{
    for (uint32_t i = snapshots.hot[group]; i != 0; i = pages[i - 1].next) {
        struct page *page = &pages[i - 1];
        if (page_is(page, page->now))
            continue;
        saved->copies[saved->copy_count++] = (struct saved_page){
            .before = page->now, .index = i - 1, .from = page->from, .to = page->to};
        page->now = page_save(page->at);
        page_measure(page);
    }
}

/* Pages that the set-up wrote may stay as they are from now on: learn again. */
static void cool_group(uint32_t group)
{
    uint32_t *list = &snapshots.hot[group];
    while (*list != 0) {
        struct page *page = &pages[*list - 1];
        if (page->stays) {
            list = &page->next;
            continue;
        }
        *list = page->next;
        page->hot = 0;
        track_protect(page->at);
    }
}

/* More memory that later resets come back to. What is fresh begins in the middle of its last
 * page. */
static void keep_more(char *low, char *end, uint16_t group)
{
    char *high = page_end(end);
    if (high <= low)
        return;
    struct region *region = region_add(low, high, group, true, false);
    region_keep(region);
    if (end < high)
        page_make_hot(region, snapshots.page_count - 1);
    track_add(region);
}

static void keep_arena(const struct saved *before)
{
    char *low = (char *)ARENA_ADDRESS + arena_copied(ex.used);
    if (before != NULL && before->execution->used > ARENA_COPIED)
        low = page_end((char *)ARENA_ADDRESS + before->execution->used);
    if (arena_copied(ex.used) < ex.used)
        keep_more(low, (char *)ARENA_ADDRESS + ex.used, GROUP_OURS);
}

static void keep_heap(struct saved *saved, const struct saved *before, uint32_t thread)
{
    bool known = before != NULL && thread < before->heap_threads;
    saved->heap_end[thread] = heap_end(thread);
    keep_more(known ? page_end(before->heap_end[thread]) : heap_start(thread), heap_end(thread),
              GROUP_ALWAYS);
}

static void copy_all(struct execution *to, char *arena_to, const struct execution *from,
                     const char *arena_from)
{
    if (unlikely(from->memory.seen.piece != 0))
        to->pieces = from->pieces;
    else if (unlikely(to->memory.seen.piece != 0)) /* whatever lies there, in what is fresh */
        to->pieces = (struct shared_pieces){0};
    execution_copy(to, arena_to, from, arena_from);
}

static void copy_execution(struct saved *saved)
{
    saved->execution = (struct execution *)snapshots.save_end;
    saved->arena = snapshots.save_end + whole_pages(sizeof(struct execution));
    snapshots.save_end = saved->arena + whole_pages(arena_copied(ex.used));
    copy_all(saved->execution, saved->arena, &ex, (char *)ARENA_ADDRESS);
}

void snapshot_checkpoint(void)
{
    const struct saved *before = snapshot_last();
    struct saved *saved = &snapshots.saved[snapshots.saved_count];
    if (snapshots.learning) /* what the set-up wrote is part of the checkpoint */
        for (uint32_t i = 0; i < snapshots.region_count; i++)
            if (!snapshots.regions[i].stack)
                region_find_changed(&snapshots.regions[i]);
    saved->begin = snapshots.save_end;
    saved->copies = (struct saved_page *)saved->begin;
    saved->copy_count = 0;
    snapshots.save_end += whole_pages(count_hot() * sizeof *saved->copies);
    saved->pages_before = snapshots.page_count;
    saved->regions_before = snapshots.region_count;
    uint32_t group = 0;
    do {
        copy_group(saved, group);
        if (snapshots.tracking == TRACKING_USERFAULT)
            cool_group(group);
    } while (next_group(&group));
    saved->heap_threads = ex.thread_count;
    for (uint32_t thread = 0; thread < ex.thread_count; thread++)
        keep_heap(saved, before, thread);
    keep_arena(before);
    memory_settle(before != NULL ? before->undo_count : 0);
    saved->undo_count = rt.memory.undo_count;
    copy_execution(saved);
    world_hold(snapshots.saved_count);
    snapshots.order_is_old = true;
    snapshots.saved_count++;
    the_board->control.checkpoints++;
}

/* Pages written since the checkpoint will be written again. */
static void stay_hot(void)
{
    for (uint32_t group = 0; group < GROUPS; group++)
        for (uint32_t i = snapshots.hot[group]; i != 0; i = pages[i - 1].next)
            pages[i - 1].stays = 1;
}

/* Hot pages of heaps and of the arena belong to the regions that are dropped. */
static void forget_hot(uint32_t group, uint32_t from)
{
    uint32_t *list = &snapshots.hot[group];
    while (*list != 0)
        if (*list - 1 >= from)
            *list = pages[*list - 1].next;
        else
            list = &pages[*list - 1].next;
}

static void drop_regions(const struct saved *saved)
{
    forget_hot(GROUP_ALWAYS, saved->pages_before);
    forget_hot(GROUP_OURS, saved->pages_before);
    for (uint32_t i = saved->regions_before; i < snapshots.region_count; i++) {
        struct region *region = &snapshots.regions[i];
        track_drop(region);
        sparse_clear(region->low, (size_t)(region->high - region->low));
    }
    snapshots.region_count = saved->regions_before;
    snapshots.page_count = saved->pages_before;
}

/* Drops copies of pages that are written before long. */
static void drop_pages(const struct saved *saved)
{
    for (uint32_t i = 0; i < saved->copy_count; i++) {
        const struct saved_page *copy = &saved->copies[i];
        if (copy->index >= snapshots.page_count) /* of a heap or the arena, and gone */
            continue;
        struct page *page = &pages[copy->index];
        page->now = copy->before;
        if (!page->hot) {
            page_make_hot(region_of(copy->index), copy->index);
            track_allow(page->at);
        }
        page->from = copy->from;
        page->to = copy->to;
        page_put_back(page);
    }
}

void snapshot_drop(uint32_t from)
{
    if (from >= snapshots.saved_count)
        return;
    drop_regions(&snapshots.saved[from]);
    stay_hot();
    while (snapshots.saved_count > from)
        drop_pages(&snapshots.saved[--snapshots.saved_count]);
    snapshots.save_end = snapshots.saved[from].begin;
    snapshots.order_is_old = true;
    memory_forget(snapshot_last() != NULL ? snapshot_last()->undo_count : 0);
    world_let_go(from);
    snapshot_return();
}

void snapshot_return(void)
{
    const struct saved *last = snapshot_last();
    if (last != NULL)
        copy_all(&ex, (char *)ARENA_ADDRESS, last->execution, last->arena);
}
