#include "strategy/frontier.h"

#include <string.h>

enum { FIRST = 1 };

void frontier_open_empty(struct frontier *frontier, struct arena *arena, struct journal *journal)
{
    memset(frontier, 0, sizeof *frontier);
    frontier->journal = journal;
    size_t margin = 16; /* arena_take aligns */
    CHECK(arena->capacity - arena->used > margin);
    size_t size = arena->capacity - arena->used - margin;
    size_t capacity = size / sizeof(struct node);
    frontier->capacity = capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX;
    CHECK(frontier->capacity > FIRST);
    frontier->nodes = arena_take(arena, size);
    frontier->used = FIRST;
}

uint32_t frontier_pop(struct frontier *frontier, struct node_stack *stack)
{
    uint32_t node = stack->top;
    if (node != 0) {
        stack->top = frontier->nodes[node].link;
        stack->count--;
        frontier->waiting--;
    }
    return node;
}

void frontier_swap(struct frontier *frontier)
{
    struct node_stack first = frontier->stacks[0];
    frontier->stacks[0] = frontier->stacks[1];
    frontier->stacks[1] = first;
}

uint32_t frontier_depth(const struct frontier *frontier, uint32_t node)
{
    uint32_t depth = 0;
    while ((node = frontier->nodes[node].parent) != 0)
        depth++;
    return depth;
}

void frontier_schedule(const struct frontier *frontier, uint32_t node, struct schedule *schedule)
{
    const struct node *nodes = frontier->nodes;
    uint32_t count = frontier_depth(frontier, node);
    CHECK(count <= schedule->prefix_capacity);
    schedule->prefix_count = count;
    schedule->check_step = count > 0 ? nodes[node].step : 0;
    schedule->check = (uint32_t)nodes[node].check;
    for (uint32_t at = node; count > 0; at = nodes[at].parent)
        schedule->prefix[--count] = node_decision(&nodes[at]);
}

static bool has_room(const struct frontier *frontier)
{
    return frontier->journal->used < JOURNAL_BYTES / 2;
}

static struct node *node_change(struct frontier *frontier, uint32_t node)
{
    journal_save(frontier->journal, &frontier->nodes[node], sizeof(struct node));
    return &frontier->nodes[node];
}

/* A node that was used before must be saved, a new one need not be. */
static uint32_t node_take(struct frontier *frontier)
{
    uint32_t node = frontier->free;
    if (node != 0 && has_room(frontier)) {
        frontier->free = node_change(frontier, node)->link;
        return node;
    }
    CHECK(frontier->used < frontier->capacity);
    return frontier->used++; /* beyond a saved count: nothing to save */
}

static void node_set_decision(struct node *node, struct decision decision)
{
    CHECK(decision.step < 1u << STEP_BITS);
    CHECK(decision.thread < THREADS_MAX);
    node->step = decision.step;
    node->thread = decision.thread & (THREADS_MAX - 1);
    node->choice = decision.choice;
}

static void push(struct frontier *frontier, struct node_stack *stack, uint32_t parent,
                 struct decision decision, uint32_t check)
{
    uint32_t node = node_take(frontier);
    frontier->nodes[node] = (struct node){
        .parent = parent,
        .link = stack->top,
        .check = schedule_check(check),
    };
    node_set_decision(&frontier->nodes[node], decision);
    stack->top = node;
    stack->count++;
    frontier->waiting++;
}

void frontier_adopt(struct frontier *frontier, struct node_stack *stack,
                    const struct decision *decisions, uint32_t count, uint32_t check)
{
    uint32_t parent = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t ancestor = node_take(frontier);
        frontier->nodes[ancestor] = (struct node){.parent = parent, .link = 1};
        if (i > 0)
            node_set_decision(&frontier->nodes[ancestor], decisions[i - 1]);
        parent = ancestor;
    }
    struct decision last = count > 0 ? decisions[count - 1] : (struct decision){0};
    push(frontier, stack, parent, last, check);
}

void frontier_open(struct frontier *frontier, struct arena *arena, struct journal *journal)
{
    frontier_open_empty(frontier, arena, journal);
    frontier_adopt(frontier, &frontier->stacks[0], NULL, 0, 0);
}

void frontier_push_below(struct frontier *frontier, struct node_stack *stack, uint32_t ancestor,
                         struct decision decision, uint32_t check)
{
    node_change(frontier, ancestor)->link++;
    push(frontier, stack, ancestor, decision, check);
}

void frontier_push_sibling(struct frontier *frontier, struct node_stack *stack, uint32_t node,
                           struct decision decision, uint32_t check)
{
    frontier_push_below(frontier, stack, frontier->nodes[node].parent, decision, check);
}

void frontier_push_child(struct frontier *frontier, struct node_stack *stack, uint32_t node,
                         struct decision decision, uint32_t check)
{
    push(frontier, stack, node, decision, check);
}

void frontier_settle(struct frontier *frontier, uint32_t node, uint32_t children)
{
    struct node *at = node_change(frontier, node);
    at->link = children;
    while (at->link == 0 && has_room(frontier)) { /* what is not freed takes room, no more */
        uint32_t parent = at->parent;
        at->link = frontier->free;
        frontier->free = node;
        if (parent == 0)
            return;
        node = parent;
        at = node_change(frontier, node);
        at->link--;
    }
}

void frontier_drop_after(struct frontier *frontier, struct node_stack *stack, uint32_t node)
{
    struct node *above = node_change(frontier, node);
    uint32_t dropped = above->link;
    above->link = frontier->nodes[dropped].link;
    stack->count--;
    frontier->waiting--;
    frontier_settle(frontier, dropped, 0);
}

/* Every second node: those of one bound are alike, and those of one path get larger towards the
 * bottom of the stack, so that either way both halves are. */
bool frontier_split(struct frontier *frontier, struct node_stack *stack, struct subtree form,
                    int32_t bound, struct parcel *out)
{
    struct decision prefix[SUBTREE_DECISIONS_MAX];
    struct schedule schedule = {.prefix = prefix, .prefix_capacity = SUBTREE_DECISIONS_MAX};
    uint32_t kept = stack->top, node;
    bool given = false;
    for (; kept != 0 && (node = frontier->nodes[kept].link) != 0;
         kept = frontier->nodes[kept].link) {
        if (!parcel_has_room(out, frontier_depth(frontier, node)))
            break;
        frontier_schedule(frontier, node, &schedule);
        form.bound = bound;
        form.check = schedule.check;
        form.floor = schedule.check_step;
        form.prefix = prefix;
        form.prefix_count = schedule.prefix_count;
        parcel_put(out, &form);
        frontier_drop_after(frontier, stack, kept);
        given = true;
    }
    return given;
}
