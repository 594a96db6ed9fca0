#include "strategy/parallel/event_numbers.h"

enum { BRANCHINGS_MAX = 512 }; /* limit of nested branchings of a tree */

/* Which node follows in the bytes: none, a child, a sibling, or both, the child first. */
enum { HAS_CHILD = 1, HAS_NEXT = 2 };

static uint64_t name_of(const struct numbers *letter, uint32_t object)
{
    const struct naming *names = letter->names;
    return names == NULL ? object : names->name(names->context, object);
}

void event_put(struct numbers *letter, const struct event *event)
{
    const struct footprint *footprint = &event->footprint;
    numbers_put(letter, event->thread);
    numbers_put(letter, event->choice);
    numbers_put(letter, footprint->count * 4u + footprint->chooses * 2u + footprint->all);
    for (uint32_t i = 0; i < footprint->count; i++) {
        struct touch touch = footprint->touches[i];
        numbers_put(letter, name_of(letter, touch.object) * 2 + (touch.access == TOUCH_WRITES));
    }
}

struct event event_take(struct numbers *letter)
{
    const struct naming *names = letter->names;
    struct event event = {.thread = (thread_id)numbers_take(letter, THREADS_MAX - 1)};
    event.choice = (uint16_t)numbers_take(letter, UINT16_MAX);
    uint64_t count = numbers_take(letter, FOOTPRINT_MAX * 4 + 3);
    event.footprint.all = count % 2;
    event.footprint.chooses = count / 2 % 2;
    for (uint64_t i = 0; i < count / 4 && !letter->wrong; i++) {
        uint64_t touch = numbers_take(letter, UINT64_MAX), name = touch / 2;
        uint32_t object = names == NULL ? (uint32_t)name : names->number(names->context, name);
        footprint_add(&event.footprint,
                      (struct touch){object & (UINT32_MAX >> 2),
                                     touch % 2 != 0 ? TOUCH_WRITES : TOUCH_READS});
    }
    return event;
}

void threads_put(struct numbers *letter, const thread_set *threads)
{
    numbers_put(letter, thread_set_count(threads));
    THREADS_EACH(thread, threads)
    numbers_put(letter, thread);
}

thread_set threads_take(struct numbers *letter)
{
    thread_set threads = {{0}};
    for (uint64_t left = numbers_take(letter, THREADS_MAX); left > 0; left--)
        thread_set_add(&threads, (thread_id)numbers_take(letter, THREADS_MAX - 1));
    return threads;
}

static void put_trees(struct numbers *letter, const struct wakeup *wakeup, uint32_t node,
                      uint32_t branchings)
{
    letter->wrong |= branchings > BRANCHINGS_MAX;
    while (!letter->wrong) {
        const struct wakeup_node *at = &wakeup->nodes[node];
        event_put(letter, &at->event);
        numbers_put(letter, (at->child != 0 ? HAS_CHILD : 0) | (at->next != 0 ? HAS_NEXT : 0));
        if (at->child != 0 && at->next != 0)
            put_trees(letter, wakeup, at->child, branchings + 1);
        else if (at->child != 0)
            node = at->child;
        if (at->next != 0)
            node = at->next;
        else if (at->child == 0)
            return;
    }
}

void trees_put(struct numbers *letter, const struct wakeup *wakeup, uint32_t list)
{
    numbers_put(letter, list != 0);
    if (list != 0)
        put_trees(letter, wakeup, list, 0);
}

static uint32_t take_trees(struct numbers *letter, struct wakeup *wakeup, uint32_t branchings)
{
    uint32_t first = 0, last = 0;
    bool below = false;
    letter->wrong |= branchings > BRANCHINGS_MAX;
    while (!letter->wrong) {
        struct event event = event_take(letter);
        uint64_t follows = numbers_take(letter, HAS_CHILD | HAS_NEXT);
        if (letter->wrong)
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
            wakeup->nodes[node].child = take_trees(letter, wakeup, branchings + 1);
        below = follows == HAS_CHILD;
        last = node;
    }
    return first;
}

uint32_t trees_take(struct numbers *letter, struct wakeup *wakeup)
{
    return numbers_take(letter, 1) == 0 ? 0 : take_trees(letter, wakeup, 0);
}
