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
    uint16_t outcome; /* where alternatives are threads: the outcome of the step */
    /* Where alternatives are threads, its choice says whether the step is simple (bpor_state.h). */
    struct event event;
};

/* Adds a child after those that were begun before. */
uint32_t crown_add_child(struct crown *crown, uint32_t parent, const struct event *event,
                         enum node_state state);
void crown_remove_child(struct crown *crown, uint32_t node);
/* Computes the sleep set of a node: alternatives begun before it, unless they depend on its
 * event. */
void crown_find_asleep(struct crown *crown, uint32_t node);
/* Drops what is below a node and what sleeps there: the crown does not need it any more. */
void crown_clear_node(struct crown *crown, uint32_t node, enum node_state state);
/* Whether all alternatives begun below a node are closed, and none can be added from above. */
bool crown_is_quiet(const struct crown *crown, uint32_t node);
/* Closes a node that was explored, or removes one whose event did not run; then closes the nodes
 * above that are through. */
void crown_finish(struct crown *crown, uint32_t node, bool ran);
/* The best node with waiting sequences or threads; `whole`: no worker is at work below it. 0:
 * none. */
uint32_t crown_node_to_give(const struct crown *crown, bool sequences, bool *whole);
/* Reads the report of a worker that holds a node. false: the report cannot be that worker's. */
bool crown_read(const struct crown *crown, uint32_t worker, struct parcel *in,
                struct numbers *letter);

#endif
