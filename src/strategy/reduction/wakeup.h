/* Wake-up trees (Abdulla, Aronis, Jonsson, Sagonas 2017): sequences of events that must run from a
 * step on, in order, none of them equivalent to a part of another.
 *
 * A node is an event. Lists of nodes are linked by `next`. The children of a node, any of which may
 * follow it, are such a list. Nodes are named by number: 0 is none. Functions here save nodes in
 * the journal; the small struct wakeup is saved by its owner, before the first change. */
#ifndef STRATEGY_WAKEUP_H
#define STRATEGY_WAKEUP_H

#include "base/arena.h"
#include "core/journal.h"
#include "strategy/reduction/footprint.h"

/* Fingerprints of sequences that a worker has returned to the crown (parallel/worker_report.h). */
enum { RETURNS_SENT = 1 << 14 };

struct wakeup_node {
    uint32_t next, child; /* in a free node, `child` is the next free node */
    struct event event;
};

struct wakeup {
    struct journal *journal;
    struct wakeup_node *nodes;
    uint32_t capacity;
    uint32_t used; /* nodes[1..used) have been in use at least once */
    uint32_t free;
    uint32_t in_use, in_use_max;
};

/* Takes all that is left of the arena: memory that is not touched costs nothing. */
void wakeup_open(struct wakeup *wakeup, struct arena *arena, struct journal *journal);
/* Puts a new node at the front of a list. */
void wakeup_push(struct wakeup *wakeup, uint32_t *list, const struct event *event);
/* Puts a new node after a node of a list. */
void wakeup_push_behind(struct wakeup *wakeup, uint32_t before, const struct event *event);
/* Moves the node after `before` to the front of the list. */
void wakeup_put_first(struct wakeup *wakeup, uint32_t *list, uint32_t before);
/* Adds a sequence to the trees of a list, unless they contain it; `events` is used up. */
bool wakeup_insert(struct wakeup *wakeup, uint32_t *list, struct event *events, uint32_t count);
/* Frees a node with its first child, that child's first child and so on; a list of nodes without
 * children; a list of nodes with their trees. */
void wakeup_free_path(struct wakeup *wakeup, uint32_t node);
void wakeup_free_list(struct wakeup *wakeup, uint32_t list);
void wakeup_free_trees(struct wakeup *wakeup, uint32_t list);
/* Separates a node from its children. */
void wakeup_cut(struct wakeup *wakeup, uint32_t node);
/* wakeup_take(): one node. wakeup_chain(): a node for each event of a sequence, each the child of
 * the one before. */
uint32_t wakeup_take(struct wakeup *wakeup, const struct event *event);
uint32_t wakeup_chain(struct wakeup *wakeup, const struct event *events, uint32_t count);
/* Frees everything at once, as if nothing had ever been taken. */
void wakeup_clear(struct wakeup *wakeup);

/* Whether some event of a sequence has several outcomes. */
bool events_choose(const struct event *events, uint32_t count);

enum { EVENT_ABSENT = -1, EVENT_LATER = -2 };
/* Whether an event is a weak initial of a sequence: it can come first in an equivalent sequence, or
 * in one that this sequence is part of. Returns its place in the sequence; EVENT_ABSENT: it can
 * come beside the sequence; EVENT_LATER: it is no weak initial. */
int32_t event_initial(const struct event *event, const struct event *events, uint32_t count);

#endif
