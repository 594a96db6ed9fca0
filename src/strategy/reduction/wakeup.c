#include "strategy/reduction/wakeup.h"

#include <stddef.h>

enum { JOURNAL_RESERVE = JOURNAL_BYTES / 4 };

void wakeup_open(struct wakeup *wakeup, struct arena *arena, struct journal *journal)
{
    size_t margin = 16; /* arena_take() may skip bytes to align */
    CHECK(arena->capacity - arena->used > margin);
    size_t size = arena->capacity - arena->used - margin;
    size_t capacity = size / sizeof(struct wakeup_node);
    *wakeup = (struct wakeup){
        .journal = journal,
        .nodes = arena_take(arena, size),
        .capacity = capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX,
        .used = 1,
    };
}

/* Saves a node before its links change: only these change while a node is in use. */
static struct wakeup_node *change(struct wakeup *wakeup, uint32_t node)
{
    journal_save(wakeup->journal, &wakeup->nodes[node], offsetof(struct wakeup_node, event));
    return &wakeup->nodes[node];
}

/* Whether the transaction has room for another changed node. A node that is not freed for want of
 * room costs memory, nothing else. */
static bool may_change(const struct wakeup *wakeup)
{
    return wakeup->journal->used < JOURNAL_BYTES - JOURNAL_RESERVE;
}

uint32_t wakeup_take(struct wakeup *wakeup, const struct event *event)
{
    uint32_t node = wakeup->free;
    /* The node may have been freed in this transaction, and is needed if that is undone. */
    if (node != 0 && may_change(wakeup)) {
        journal_save(wakeup->journal, &wakeup->nodes[node], sizeof wakeup->nodes[node]);
        wakeup->free = wakeup->nodes[node].child;
    } else {
        CHECK(wakeup->used < wakeup->capacity);
        node = wakeup->used++; /* a node beyond the saved count needs no saving */
    }
    wakeup->nodes[node] = (struct wakeup_node){.event = *event};
    if (++wakeup->in_use > wakeup->in_use_max)
        wakeup->in_use_max = wakeup->in_use;
    return node;
}

void wakeup_push(struct wakeup *wakeup, uint32_t *list, const struct event *event)
{
    uint32_t node = wakeup_take(wakeup, event);
    wakeup->nodes[node].next = *list;
    *list = node;
}

void wakeup_push_behind(struct wakeup *wakeup, uint32_t before, const struct event *event)
{
    uint32_t node = wakeup_take(wakeup, event);
    wakeup->nodes[node].next = wakeup->nodes[before].next;
    change(wakeup, before)->next = node;
}

void wakeup_put_first(struct wakeup *wakeup, uint32_t *list, uint32_t before)
{
    uint32_t node = wakeup->nodes[before].next, behind = wakeup->nodes[node].next;
    change(wakeup, before)->next = behind;
    change(wakeup, node)->next = *list;
    *list = node;
}

int32_t event_initial(const struct event *event, const struct event *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].thread == event->thread)
            return events[i].choice == event->choice ? (int32_t)i : EVENT_LATER;
        if (footprints_conflict(&event->footprint, &events[i].footprint))
            return EVENT_LATER;
    }
    return EVENT_ABSENT;
}

uint32_t wakeup_chain(struct wakeup *wakeup, const struct event *events, uint32_t count)
{
    uint32_t first = 0;
    while (count > 0) {
        uint32_t node = wakeup_take(wakeup, &events[--count]);
        wakeup->nodes[node].child = first;
        first = node;
    }
    return first;
}

/* Whether some event has several outcomes. Other outcomes of a step are no races: where an event
 * sleeps, the search may find them only from another place. */
bool events_choose(const struct event *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (events[i].footprint.chooses)
            return true;
    return false;
}

/* Descends into the first tree of a list that part of the sequence can begin with; the rest of the
 * sequence goes below it. A tree that ends there is extended, too: the rest would be found as a
 * race from there, but not beside the events that sleep there, and the event that is reversed here
 * will sleep there. */
bool wakeup_insert(struct wakeup *wakeup, uint32_t *list, struct event *events, uint32_t count)
{
    uint32_t parent = 0, last = 0;
    for (uint32_t node = *list; node != 0;) {
        const struct wakeup_node *at = &wakeup->nodes[node];
        int32_t place = event_initial(&at->event, events, count);
        if (place == EVENT_LATER) {
            last = node;
            node = at->next;
            continue;
        }
        if (place >= 0) { /* the place is mostly among the first */
            for (int32_t i = place; i > 0; i--)
                events[i] = events[i - 1];
            events++;
            count--;
        }
        if (count == 0)
            return false;
        parent = node;
        last = 0;
        node = at->child;
    }
    if (count == 0)
        return false;
    uint32_t added = wakeup_chain(wakeup, events, count);
    if (last != 0)
        change(wakeup, last)->next = added;
    else if (parent != 0)
        change(wakeup, parent)->child = added;
    else
        *list = added;
    return true;
}

void wakeup_cut(struct wakeup *wakeup, uint32_t node)
{
    change(wakeup, node)->child = 0;
}

void wakeup_free_path(struct wakeup *wakeup, uint32_t node)
{
    uint32_t last = node;
    wakeup->in_use--;
    while (wakeup->nodes[last].child != 0) {
        last = wakeup->nodes[last].child;
        wakeup->in_use--;
    }
    change(wakeup, last)->child = wakeup->free;
    wakeup->free = node;
}

void wakeup_free_list(struct wakeup *wakeup, uint32_t list)
{
    for (uint32_t node = list; node != 0; wakeup->in_use--) {
        uint32_t next = wakeup->nodes[node].next;
        if (may_change(wakeup)) {
            change(wakeup, node)->child = wakeup->free;
            wakeup->free = node;
        }
        node = next;
    }
}

void wakeup_free_trees(struct wakeup *wakeup, uint32_t list)
{
    while (list != 0 && may_change(wakeup)) {
        uint32_t next = wakeup->nodes[list].next;
        for (uint32_t node = list; node != 0; node = wakeup->nodes[node].child) {
            uint32_t child = wakeup->nodes[node].child;
            if (child != 0)
                wakeup_free_trees(wakeup, wakeup->nodes[child].next);
        }
        wakeup_free_path(wakeup, list);
        list = next;
    }
}

void wakeup_clear(struct wakeup *wakeup)
{
    wakeup->used = 1;
    wakeup->free = wakeup->in_use = 0;
}
