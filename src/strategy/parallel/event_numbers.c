#include "strategy/parallel/event_numbers.h"

enum { BRANCHINGS_MAX = 512 }; /* limit of nested branchings of a tree */

/* Which node follows in the bytes: none, a child, a sibling, or both, the child first. */
enum { HAS_CHILD = 1, HAS_NEXT = 2 };

static uint64_t name_of(const struct numbers *out, uint32_t object)
{
    const struct naming *names = out->names;
    return names == NULL ? object : names->name(names->context, object);
}

void event_put(struct numbers *out, const struct event *event)
{
    const struct footprint *footprint = &event->footprint;
    numbers_put(out, event->thread);
    numbers_put(out, event->choice);
    numbers_put(out, footprint->count * 4u + footprint->chooses * 2u + footprint->all);
    for (uint32_t i = 0; i < footprint->count; i++) {
        struct touch touch = footprint->touches[i];
        numbers_put(out, name_of(out, touch.object) * 2 + (touch.access == TOUCH_WRITES));
    }
}

struct event event_take(struct numbers *out)
{
    const struct naming *names = out->names;
    struct event event = {.thread = (thread_id)numbers_take(out, THREADS_MAX - 1)};
    event.choice = (uint16_t)numbers_take(out, UINT16_MAX);
    uint64_t count = numbers_take(out, FOOTPRINT_MAX * 4 + 3);
    event.footprint.all = count % 2;
    event.footprint.chooses = count / 2 % 2;
    for (uint64_t i = 0; i < count / 4 && !out->wrong; i++) {
        uint64_t touch = numbers_take(out, UINT64_MAX), name = touch / 2;
        uint32_t object = names == NULL ? (uint32_t)name : names->number(names->context, name);
        footprint_add(&event.footprint,
                      (struct touch){object & (UINT32_MAX >> 2),
                                     touch % 2 != 0 ? TOUCH_WRITES : TOUCH_READS});
    }
    return event;
}

static void put_trees(struct numbers *out, const struct wakeup *wakeup, uint32_t node,
                      uint32_t branchings)
{
    out->wrong |= branchings > BRANCHINGS_MAX;
    while (!out->wrong) {
        const struct wakeup_node *at = &wakeup->nodes[node];
        event_put(out, &at->event);
        numbers_put(out, (at->child != 0 ? HAS_CHILD : 0) | (at->next != 0 ? HAS_NEXT : 0));
        if (at->child != 0 && at->next != 0)
            put_trees(out, wakeup, at->child, branchings + 1);
        else if (at->child != 0)
            node = at->child;
        if (at->next != 0)
            node = at->next;
        else if (at->child == 0)
            return;
    }
}

void trees_put(struct numbers *out, const struct wakeup *wakeup, uint32_t list)
{
    numbers_put(out, list != 0);
    if (list != 0)
        put_trees(out, wakeup, list, 0);
}

void events_put(struct numbers *out, const struct event *events, uint32_t count)
{
    numbers_put(out, count > 0);
    for (uint32_t i = 0; i < count; i++) {
        event_put(out, &events[i]);
        numbers_put(out, i + 1 < count ? HAS_NEXT : 0);
    }
}

static uint32_t take_trees(struct numbers *out, struct wakeup *wakeup, uint32_t branchings)
{
    uint32_t first = 0, last = 0;
    bool below = false;
    out->wrong |= branchings > BRANCHINGS_MAX;
    while (!out->wrong) {
        struct event event = event_take(out);
        uint64_t follows = numbers_take(out, HAS_CHILD | HAS_NEXT);
        if (out->wrong)
            break;
        uint32_t node = wakeup_take(wakeup, &event);
        if (first == 0)
            first = node;
        else if (below)
            wakeup->nodes[last].child = node;
        else
            wakeup->nodes[last].next = node;
        if (follows == 0)
            break;
        if (follows == (HAS_CHILD | HAS_NEXT))
            wakeup->nodes[node].child = take_trees(out, wakeup, branchings + 1);
        below = follows == HAS_CHILD;
        last = node;
    }
    return first;
}

uint32_t trees_take(struct numbers *out, struct wakeup *wakeup)
{
    return numbers_take(out, 1) == 0 ? 0 : take_trees(out, wakeup, 0);
}
