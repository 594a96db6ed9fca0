/* Executions still to be run, as a tree in which each is its difference from its parent (GAMBIT,
 * Coons 2010): leave the parent's execution at one step, then go on by default.
 *
 * A node waits on one of two stacks, then runs, then stays as long as others descend from it; so
 * memory holds what waits, and its ancestors. Nodes are named by number: 0 is none. */
#ifndef STRATEGY_FRONTIER_H
#define STRATEGY_FRONTIER_H

#include "base/arena.h"
#include "core/journal.h"
#include "core/schedule.h"

struct node {
    uint32_t parent;
    uint32_t link;  /* waiting or free: the next one there. Run: how many nodes have it as parent */
    uint32_t check; /* fingerprint of the steps before the one where it leaves its parent */
    struct decision decision;
};
_Static_assert(sizeof(struct node) == 20, "there are millions of them");

enum { STACKS = 2 };

struct frontier {
    struct journal *journal;
    struct node *nodes;
    uint32_t capacity;
    struct {
        uint32_t used; /* nodes[1..used) were handed out at least once */
        uint32_t free;
        uint32_t top[STACKS];
        uint64_t waiting;
    } now;
};

/* Begins with one node on stack 0: the first execution, which follows the default throughout.
 * Takes all that is left of the arena: what is not touched costs nothing. */
void frontier_open(struct frontier *frontier, struct arena *arena, struct journal *journal);
/* A new node on a stack, a difference from `parent`. */
void frontier_push(struct frontier *frontier, uint32_t stack, uint32_t parent,
                   struct decision decision, uint32_t check);
/* The next node to run, 0: the stack is empty. The caller owns it until frontier_settle. */
uint32_t frontier_pop(struct frontier *frontier, uint32_t stack);
/* The node has run and has its descendants: frees it, and then its ancestors, if nobody needs it. */
void frontier_settle(struct frontier *frontier, uint32_t node);
/* The stacks change places. */
void frontier_swap(struct frontier *frontier);
/* The schedule of a node. */
void frontier_schedule(const struct frontier *frontier, uint32_t node, struct schedule *schedule);

#endif
