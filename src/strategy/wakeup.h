/* Wake-up trees (Abdulla, Aronis, Jonsson, Sagonas 2017): sequences of events that are to be run
 * from a step on, in order, none of them equivalent to part of another.
 *
 * A node is an event. Lists of nodes are linked by `next`; the children of a node, which may follow
 * it, are such a list. Nodes are named by number: 0 is none. They are saved in the journal here;
 * the struct itself is small and saved by its owner, before the first change. */
#ifndef STRATEGY_WAKEUP_H
#define STRATEGY_WAKEUP_H

#include "base/arena.h"
#include "core/journal.h"
#include "strategy/footprint.h"

struct wakeup_node {
    uint32_t next, child; /* free: the next free one is `child` */
    struct event event;
};

struct wakeup {
    struct journal *journal;
    struct wakeup_node *nodes;
    uint32_t capacity;
    uint32_t used; /* nodes[1..used) were handed out at least once */
    uint32_t free;
    uint32_t in_use, in_use_max;
};

/* Takes all that is left of the arena: what is not touched costs nothing. */
void wakeup_open(struct wakeup *wakeup, struct arena *arena, struct journal *journal);
/* Puts a node before a list. */
void wakeup_push(struct wakeup *wakeup, uint32_t *list, const struct event *event);
/* … or behind a node of one. */
void wakeup_push_behind(struct wakeup *wakeup, uint32_t before, const struct event *event);
/* The node behind that one comes first. */
void wakeup_put_first(struct wakeup *wakeup, uint32_t *list, uint32_t before);
/* Adds a sequence to the trees of a list, unless it is in them; `events` is used up. */
bool wakeup_insert(struct wakeup *wakeup, uint32_t *list, struct event *events, uint32_t count);
/* Frees a node and its first child and so on; or a list of nodes without children; or with them. */
void wakeup_free_path(struct wakeup *wakeup, uint32_t node);
void wakeup_free_list(struct wakeup *wakeup, uint32_t list);
void wakeup_free_trees(struct wakeup *wakeup, uint32_t list);
/* Parts a node from its children. */
void wakeup_cut(struct wakeup *wakeup, uint32_t node);
/* A node of its own, and one for each event of a sequence, each the child of the one before. */
uint32_t wakeup_take(struct wakeup *wakeup, const struct event *event);
uint32_t wakeup_chain(struct wakeup *wakeup, const struct event *events, uint32_t count);
/* As if nothing had ever been taken. */
void wakeup_clear(struct wakeup *wakeup);

/* Whether one of them has several outcomes. */
bool events_choose(const struct event *events, uint32_t count);

enum { EVENT_ABSENT = -1, EVENT_LATER = -2 };
/* Whether an event can come first in a sequence that is equivalent to this one, or to one that this
 * is part of (a weak initial): its place there; EVENT_ABSENT: beside it; EVENT_LATER: no. */
int32_t event_initial(const struct event *event, const struct event *events, uint32_t count);

#endif
