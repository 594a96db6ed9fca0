/* The nodes of the crown: what was done at a step, and how it stands with what is below. */
#ifndef STRATEGY_CROWN_NODE_H
#define STRATEGY_CROWN_NODE_H

#include "strategy/crown.h"
#include "strategy/letter.h"

enum { ROOT = 1 };

enum node_state { NODE_HELD, NODE_OPEN, NODE_CLOSED };

struct crown_node {
    uint32_t parent;            /* free: the next free one */
    uint32_t first, last, next; /* children, and sibling */
    uint32_t waiting;           /* trees of alternatives that were not begun */
    uint32_t asleep;            /* open: what sleeps here whatever is done next */
    uint32_t depth;             /* steps up to here */
    uint32_t check;             /* open: fingerprint of those steps */
    uint8_t state;              /* enum node_state */
    uint8_t known;              /* it was run: the event is as it was, not as it was expected */
    uint8_t guided;             /* on the way to the end of a sequence that was handed out */
    uint8_t decides;            /* there was something to decide at its step */
    uint16_t outcome;           /* where alternatives are threads: of its data choice, … */
    struct event event; /* … while here the choice is whether it is simple (bpor_state.h) */
};

/* A child, after those that were begun before it. */
uint32_t crown_add_child(struct crown *crown, uint32_t parent, const struct event *event,
                         enum node_state state);
void crown_remove_child(struct crown *crown, uint32_t node);
/* What was begun before it sleeps, unless it depends on it. */
void crown_find_asleep(struct crown *crown, uint32_t node);
/* What is below it, or sleeps there, is of no use here any more. */
void crown_clear_node(struct crown *crown, uint32_t node, enum node_state state);
/* All that was begun below it is through, and nothing can be added any more. */
bool crown_is_quiet(const struct crown *crown, uint32_t node);
/* What is below it was explored, or (it did not run) it is no alternative; and so, perhaps, what is
 * above it. */
void crown_finish(struct crown *crown, uint32_t node, bool ran);
/* The best node at which something waits, sequences or threads, and whether nobody is at work below
 * it; 0: none. */
uint32_t crown_node_to_give(const struct crown *crown, bool sequences, bool *whole);
/* What a worker that holds something has given; false: it is nothing that it could have. */
bool crown_read(const struct crown *crown, uint32_t worker, struct parcel *in,
                struct letter *letter);

#endif
