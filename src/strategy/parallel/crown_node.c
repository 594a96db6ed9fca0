#include "strategy/parallel/crown_node.h"

static uint32_t node_take(struct crown *crown)
{
    uint32_t node = crown->free;
    crown->in_use++;
    if (node != 0) {
        crown->free = crown->nodes[node].parent;
        return node;
    }
    CHECK(crown->used <= CROWN_NODES_MAX);
    return crown->used++;
}

static void node_free(struct crown *crown, uint32_t node)
{
    crown->in_use--;
    crown->nodes[node].parent = crown->free;
    crown->free = node;
}

uint32_t crown_add_child(struct crown *crown, uint32_t parent, const struct event *event,
                         uint16_t outcome, enum node_state state)
{
    uint32_t node = node_take(crown), last = crown->nodes[parent].last;
    crown->nodes[node] = (struct crown_node){
        .parent = parent,
        .depth = crown->nodes[parent].depth + 1,
        .state = (uint8_t)state,
        .known = true,
        .decides = true,
        .outcome = outcome,
        .event = *event,
    };
    if (last != 0)
        crown->nodes[last].next = node;
    else
        crown->nodes[parent].first = node;
    crown->nodes[parent].last = node;
    return node;
}

void crown_remove_child(struct crown *crown, uint32_t node)
{
    struct crown_node *parent = &crown->nodes[crown->nodes[node].parent];
    uint32_t before = 0;
    for (uint32_t at = parent->first; at != node; at = crown->nodes[at].next)
        before = at;
    if (before != 0)
        crown->nodes[before].next = crown->nodes[node].next;
    else
        parent->first = crown->nodes[node].next;
    if (parent->last == node)
        parent->last = before;
    node_free(crown, node);
}

static void sleep_on(struct crown *crown, uint32_t node, const struct event *event)
{
    if (!events_depend(event, &crown->nodes[node].event))
        wakeup_push(&crown->wakeup, &crown->nodes[node].asleep, event);
}

/* Computes the sleep set of a node: alternatives begun before it, unless they depend on its
 * event. */
void crown_find_asleep(struct crown *crown, uint32_t node)
{
    const struct crown_node *nodes = crown->nodes;
    uint32_t parent = nodes[node].parent;
    if (node == ROOT || crown->threads)
        return;
    for (uint32_t at = nodes[parent].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        sleep_on(crown, node, &crown->wakeup.nodes[at].event);
    for (uint32_t at = nodes[parent].first; at != node; at = nodes[at].next)
        sleep_on(crown, node, &nodes[at].event);
}

/* Drops what is below a node and what sleeps there. */
void crown_clear_node(struct crown *crown, uint32_t node, enum node_state state)
{
    struct crown_node *cleared = &crown->nodes[node];
    for (uint32_t at = cleared->first, next; at != 0; at = next) {
        next = crown->nodes[at].next;
        node_free(crown, at);
    }
    wakeup_free_list(&crown->wakeup, cleared->asleep);
    cleared->first = cleared->last = cleared->asleep = 0;
    cleared->state = (uint8_t)state;
}

/* Whether no alternative can be added at a node any more: all that were begun before it, or before
 * a guided step on the way to it, are closed. */
static bool is_settled(const struct crown *crown, uint32_t node)
{
    const struct crown_node *nodes = crown->nodes;
    for (; nodes[node].guided; node = nodes[node].parent)
        for (uint32_t at = nodes[nodes[node].parent].first; at != node; at = nodes[at].next)
            if (nodes[at].state != NODE_CLOSED)
                return false;
    return true;
}

bool crown_is_quiet(const struct crown *crown, uint32_t node)
{
    for (uint32_t at = crown->nodes[node].first; at != 0; at = crown->nodes[at].next)
        if (crown->nodes[at].state != NODE_CLOSED)
            return false;
    return is_settled(crown, node);
}

static bool is_over(const struct crown *crown, uint32_t node)
{
    return crown->nodes[node].state == NODE_OPEN && crown->nodes[node].waiting == 0 &&
           crown_is_quiet(crown, node);
}

/* Closes the guided steps from a node down that are through, the deepest first. Returns whether the
 * node itself is closed. */
static bool close_guided(struct crown *crown, uint32_t node)
{
    if (crown->nodes[node].state == NODE_CLOSED)
        return true;
    if (!crown->nodes[node].guided)
        return false;
    for (uint32_t at = crown->nodes[node].first; at != 0; at = crown->nodes[at].next)
        if (!close_guided(crown, at))
            return false;
    if (!is_over(crown, node))
        return false;
    crown_clear_node(crown, node, NODE_CLOSED);
    return true;
}

/* Closes the nodes that are through because one below them was closed, from `node` up. */
static void close_above(struct crown *crown, uint32_t node)
{
    for (; node != 0; node = crown->nodes[node].parent) {
        for (uint32_t at = crown->nodes[node].first; at != 0; at = crown->nodes[at].next)
            if (!close_guided(crown, at))
                break;
        if (!is_over(crown, node))
            return;
        crown_clear_node(crown, node, NODE_CLOSED);
    }
}

void crown_finish(struct crown *crown, uint32_t node, bool ran)
{
    uint32_t parent = crown->nodes[node].parent;
    if (ran)
        crown_clear_node(crown, node, NODE_CLOSED);
    else
        crown_remove_child(crown, node);
    close_above(crown, parent);
}
