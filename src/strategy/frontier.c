#include "strategy/frontier.h"

#include <string.h>

enum { FIRST = 1 };

void frontier_open(struct frontier *frontier, struct arena *arena, struct journal *journal)
{
    memset(frontier, 0, sizeof *frontier);
    frontier->journal = journal;
    size_t margin = 16; /* arena_take aligns */
    CHECK(arena->capacity - arena->used > margin + sizeof(struct node));
    size_t size = arena->capacity - arena->used - margin;
    size_t capacity = size / sizeof(struct node);
    frontier->capacity = capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX;
    frontier->nodes = arena_take(arena, size);
    CHECK(frontier->capacity > FIRST);
    frontier->nodes[FIRST] = (struct node){0};
    frontier->now.used = FIRST + 1;
    frontier->now.top[0] = FIRST;
    frontier->now.waiting = 1;
}

static void save(struct frontier *frontier)
{
    journal_save(frontier->journal, &frontier->now, sizeof frontier->now);
}

static struct node *node_change(struct frontier *frontier, uint32_t node)
{
    journal_save(frontier->journal, &frontier->nodes[node], sizeof(struct node));
    return &frontier->nodes[node];
}

static uint32_t node_take(struct frontier *frontier)
{
    uint32_t node = frontier->now.free;
    if (node != 0) {
        frontier->now.free = node_change(frontier, node)->link;
        return node;
    }
    CHECK(frontier->now.used < frontier->capacity);
    return frontier->now.used++; /* beyond a saved count: nothing to save */
}

void frontier_push(struct frontier *frontier, uint32_t stack, uint32_t parent,
                   struct decision decision, uint32_t check)
{
    save(frontier);
    node_change(frontier, parent)->link++;
    uint32_t node = node_take(frontier);
    frontier->nodes[node] = (struct node){
        .parent = parent,
        .link = frontier->now.top[stack],
        .check = check,
        .decision = decision,
    };
    frontier->now.top[stack] = node;
    frontier->now.waiting++;
}

uint32_t frontier_pop(struct frontier *frontier, uint32_t stack)
{
    uint32_t node = frontier->now.top[stack];
    if (node == 0)
        return 0;
    save(frontier);
    struct node *changed = node_change(frontier, node);
    frontier->now.top[stack] = changed->link;
    frontier->now.waiting--;
    changed->link = 0;
    return node;
}

void frontier_settle(struct frontier *frontier, uint32_t node)
{
    if (frontier->nodes[node].link > 0)
        return;
    save(frontier);
    do {
        struct node *changed = node_change(frontier, node);
        uint32_t parent = changed->parent;
        changed->link = frontier->now.free;
        frontier->now.free = node;
        node = parent;
    } while (node != 0 && --node_change(frontier, node)->link == 0);
}

void frontier_swap(struct frontier *frontier)
{
    save(frontier);
    uint32_t top = frontier->now.top[0];
    frontier->now.top[0] = frontier->now.top[1];
    frontier->now.top[1] = top;
}

void frontier_schedule(const struct frontier *frontier, uint32_t node, struct schedule *schedule)
{
    const struct node *nodes = frontier->nodes;
    uint32_t count = 0;
    for (uint32_t at = node; nodes[at].parent != 0; at = nodes[at].parent)
        count++;
    CHECK(count <= schedule->prefix_capacity);
    schedule->prefix_count = count;
    schedule->check_step = count > 0 ? nodes[node].decision.step : 0;
    schedule->check = nodes[node].check;
    for (uint32_t at = node; count > 0; at = nodes[at].parent)
        schedule->prefix[--count] = nodes[at].decision;
}
