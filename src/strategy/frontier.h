/* Executions still to be run, as a tree in which each is its difference from its parent (GAMBIT,
 * Coons 2010): leave the parent's execution at one step, then go on by default.
 *
 * A node waits on a stack, then runs, then stays as long as others descend from it; so
 * memory holds what waits, and its ancestors. Nodes are named by number: 0 is none. Nodes are saved
 * in the journal here; the struct itself is small and saved by its owner, before the first change.
 */
#ifndef STRATEGY_FRONTIER_H
#define STRATEGY_FRONTIER_H

#include "base/arena.h"
#include "core/journal.h"
#include "core/schedule.h"
#include "core/subtree.h"

struct node {
    uint32_t parent;
    uint32_t link; /* waiting or free: the next one there. Run: how many nodes have it as parent */
    /* Where it leaves its parent, how, and a fingerprint of the steps before that. */
    uint64_t step : STEP_BITS, thread : 8, choice : 16, check : CHECK_BITS;
};
_Static_assert(sizeof(struct node) == 16, "there are millions of them");
_Static_assert(THREADS_MAX <= 1 << 8, "a thread fits into a node");

static inline struct decision node_decision(const struct node *node)
{
    return (struct decision){(uint32_t)node->step, (thread_id)node->thread, (uint16_t)node->choice};
}

struct node_stack { /* nodes that wait; saved by its owner */
    uint32_t top, count;
};

enum { STACKS_MAX = 22 };

struct frontier {
    struct journal *journal;
    struct node *nodes;
    uint32_t capacity;
    uint32_t used; /* nodes[1..used) were handed out at least once */
    uint32_t free;
    uint32_t reserved;
    uint64_t waiting; /* on all stacks */
    struct node_stack stacks[STACKS_MAX]; /* last, so that an owner need not save what it does not use */
};

/* Begins with one node on stack 0: the first execution, which follows the default throughout.
 * Takes all that is left of the arena: what is not touched costs nothing. */
void frontier_open(struct frontier *frontier, struct arena *arena, struct journal *journal);
void frontier_open_empty(struct frontier *frontier, struct arena *arena, struct journal *journal);
/* A node that comes from elsewhere, by the decisions of its ancestors and its own; without any it
 * is the first execution, which follows the default throughout. */
void frontier_adopt(struct frontier *frontier, struct node_stack *stack,
                    const struct decision *decisions, uint32_t count, uint32_t check);
/* The next node to run, 0: the stack is empty. */
uint32_t frontier_pop(struct frontier *frontier, struct node_stack *stack);
/* The first two stacks change places. */
void frontier_swap(struct frontier *frontier);
/* The schedule of a node. */
void frontier_schedule(const struct frontier *frontier, uint32_t node, struct schedule *schedule);
uint32_t frontier_depth(const struct frontier *frontier, uint32_t node); /* decisions of it */
/* The node that waits below this one is no longer ours. */
void frontier_drop_after(struct frontier *frontier, struct node_stack *stack, uint32_t node);
/* Gives away half of the nodes that wait there, each as a subtree of this bound that is like `form` otherwise; false:
 * there is too little. Its owner was saved. */
bool frontier_split(struct frontier *frontier, struct node_stack *stack, struct subtree form,
                    int32_t bound, struct parcel *out);

/* A node that has run leaves others behind, in this order: another that leaves the same parent … */
void frontier_push_sibling(struct frontier *frontier, struct node_stack *stack, uint32_t node,
                           struct decision decision, uint32_t check);
/* … or one of its ancestors, … */
void frontier_push_below(struct frontier *frontier, struct node_stack *stack, uint32_t ancestor,
                         struct decision decision, uint32_t check);
/* … those that leave it itself, … */
void frontier_push_child(struct frontier *frontier, struct node_stack *stack, uint32_t node,
                         struct decision decision, uint32_t check);
/* … and it is kept for them, or freed, and with it each ancestor that was kept for it alone. */
void frontier_settle(struct frontier *frontier, uint32_t node, uint32_t children);

#endif
