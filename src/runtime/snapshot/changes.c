/* Memory that is not as it was when the program began. */
#include "runtime/snapshot/snapshot.h"

#include "base/mix.h"
#include "runtime/snapshot/digest.h"

static uint64_t digest_page(const struct page *page, uint32_t group, uint64_t *looked_at)
{
    bool stack = group != GROUP_ALWAYS && page->at >= rt.stacks[group].low &&
                 page->at < rt.stacks[group].high;
    bool ended = group != GROUP_ALWAYS && ex.threads[group].state == THREAD_ENDED &&
                 page->at >= rt.stacks[group].low && page->at < rt.stacks[group].top;
    if (stack || ended)
        return 0;
    ++*looked_at;
    return page_is(page, page->start) ? 0 : digest_range(page->at, page->at + PAGE);
}

static uint64_t digest_group(uint32_t group, uint64_t *looked_at, uint64_t most)
{
    uint64_t sum = 0;
    for (uint32_t i = snapshots.hot[group]; i != 0 && *looked_at < most; i = pages[i - 1].next)
        sum += digest_page(&pages[i - 1], group, looked_at);
    return sum;
}

/* Pages that were written before the checkpoint, and not since. A page may have several copies: it
 * is counted at the first one. */
static uint64_t digest_cold(const struct saved *saved, uint64_t *looked_at, uint64_t most)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < saved->copy_count && *looked_at < most; i++) {
        const struct page *page = &pages[saved->copies[i].index];
        uint32_t group = region_of(saved->copies[i].index)->group;
        bool first = saved->copies[i].before == page->start;
        if (first && !page->hot && (group == GROUP_ALWAYS || group < ex.thread_count))
            sum += digest_page(page, group, looked_at);
    }
    return sum;
}

uint64_t snapshot_digest(uint64_t *looked_at, uint64_t most)
{
    uint64_t sum = digest_group(GROUP_ALWAYS, looked_at, most);
    for (uint32_t thread = 0; thread < ex.thread_count; thread++)
        sum += digest_group(thread, looked_at, most);
    for (uint32_t i = 0; i < snapshots.saved_count; i++)
        sum += digest_cold(&snapshots.saved[i], looked_at, most);
    return sum;
}

static bool is_looked_at(const struct region *region)
{
    bool tls = region->group != GROUP_ALWAYS;
    return !region->stack && (!tls || (region->group < ex.thread_count &&
                                       ex.threads[region->group].state != THREAD_ENDED));
}

/* Whether the page may differ from what it was when the program began. */
static bool may_have_changed(const struct page *page)
{
    return page->hot || page->now != page->start;
}

/* A page that is left out is as it was; so the order is that of all pages, whichever are hot and
 * wherever the checkpoint is. */
static bool put_in_order(void)
{
    snapshots.ordered_count = 0;
    for (uint32_t i = 0; i < snapshots.start_region_count; i++) {
        const struct region *region = &snapshots.regions[i];
        uint32_t end = region->first + region_pages(region);
        for (uint32_t k = region->first; !region->stack && k < end; k++) {
            if (!may_have_changed(&pages[k]))
                continue;
            if (snapshots.ordered_count == ORDERED_MAX)
                return false;
            snapshots.ordered[snapshots.ordered_count++] = k;
        }
    }
    snapshots.order_is_old = false;
    return true;
}

static void each_changed_word(const struct page *page, void (*visit)(const uint64_t *word))
{
    const uint64_t *now = (const uint64_t *)page->at, *then = (const uint64_t *)page->start;
    for (size_t i = 0; i < PAGE / sizeof *now; i++)
        if (now[i] != (then != NULL ? then[i] : 0))
            visit(&now[i]);
}

static bool each_changed_of_all(void (*visit)(const uint64_t *word))
{
    for (uint32_t i = 0; i < snapshots.start_region_count; i++) {
        const struct region *region = &snapshots.regions[i];
        uint32_t end = region->first + region_pages(region);
        for (uint32_t k = region->first; is_looked_at(region) && k < end; k++)
            each_changed_word(&pages[k], visit);
    }
    return true;
}

bool snapshot_each_changed(void (*visit)(const uint64_t *word))
{
    if (!snapshot_is_taken())
        return false;
    if (snapshots.learning)
        return each_changed_of_all(visit);
    if (snapshots.order_is_old && !put_in_order())
        return false;
    uint32_t region = 0;
    for (uint32_t i = 0; i < snapshots.ordered_count; i++) {
        uint32_t index = snapshots.ordered[i];
        while (index - snapshots.regions[region].first >= region_pages(&snapshots.regions[region]))
            region++;
        if (is_looked_at(&snapshots.regions[region]))
            each_changed_word(&pages[index], visit);
    }
    return true;
}
