/* Nodes of the crown: the event that ran at a step, and how far the search below it is. */
#ifndef STRATEGY_CROWN_NODE_H
#define STRATEGY_CROWN_NODE_H

#include "strategy/parallel/crown.h"
#include "strategy/parallel/event_numbers.h"

enum { ROOT = 1 };

enum node_state { NODE_HELD, NODE_OPEN, NODE_CLOSED };

struct crown_node {
    uint32_t parent;            /* parent; in a free node, the next free node */
    uint32_t first, last, next; /* first and last child, next sibling */
    uint32_t waiting;           /* trees of alternatives that were not begun */
    uint32_t asleep;            /* in an open node: events that sleep whatever runs next */
    uint32_t depth;             /* number of steps up to here */
    uint32_t check;             /* in an open node: fingerprint of those steps */
    uint8_t state;              /* enum node_state */
    uint8_t known;              /* the event has run, and is not a prediction */
    uint8_t guided;   /* the step lies on the way to the end of a sequence that was handed out */
    uint8_t decides;  /* its step was a decision */
    uint16_t outcome; /* outcome of the step */
    /* The decision's choice is the outcome. Where alternatives are threads, it says whether the
     * step is simple (bpor_state.h). */
    struct event event;
};

/* Adds a child after those that were begun before. */
uint32_t crown_add_child(struct crown *crown, uint32_t parent, const struct event *event,
                         uint16_t outcome, enum node_state state);
void crown_remove_child(struct crown *crown, uint32_t node);
/* Computes the sleep set of a node: alternatives begun before it, unless they depend on its
 * event. How threads sleep their workers compute. */
void crown_find_asleep(struct crown *crown, uint32_t node);
/* Drops what is below a node and what sleeps there: the crown does not need it any more. */
void crown_clear_node(struct crown *crown, uint32_t node, enum node_state state);
/* Whether all alternatives begun below a node are closed, and none can be added from above. */
bool crown_is_quiet(const struct crown *crown, uint32_t node);
/* Closes a node that was explored, or removes one whose event did not run; then closes the nodes
 * above that are through. */
void crown_finish(struct crown *crown, uint32_t node, bool ran);

/* Threads and outcomes as alternatives (crown_threads.c). */
/* Whether another outcome of an operation waits at a node. */
bool crown_outcome_waits(const struct crown *crown, uint32_t node);
/* Pushes to a list an event for each alternative that another worker begins or has begun at a node,
 * which does not sleep beside its child. */
void crown_push_others(struct crown *crown, uint32_t node, uint32_t child, uint32_t *list);
/* Adds the further outcomes that the operation of a node's step can have. */
void crown_add_outcomes(struct crown *crown, uint32_t node, uint64_t choices);
/* Adds threads that must run at a step above a held node, unless one of enough threads runs there:
 * crown.events says which. */
void crown_add_threads(struct crown *crown, uint32_t held, uint32_t step, uint32_t count);

#endif
