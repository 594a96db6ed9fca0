/* Tasks for workers. A task is a whole node with waiting alternatives if no worker is at work below
 * it, else the first sequence that waits there. It tells the worker all that it must know. */
#include <string.h>

#include "strategy/parallel/crown_node.h"
#include "strategy/reduction/dpor.h"

/* Whether alternatives wait at a node, and each begun one has run, so that its event is known. */
static bool can_give(const struct crown *crown, uint32_t node)
{
    const struct crown_node *nodes = crown->nodes;
    if (nodes[node].state != NODE_OPEN || nodes[node].waiting == 0 || !nodes[node].known)
        return false;
    for (uint32_t at = nodes[node].first; at != 0; at = nodes[at].next)
        if (!nodes[at].known)
            return false;
    return true;
}

/* Whether an alternative still sleeps at the end of the first sequence that waits at a node. The
 * alternative was begun on the way there, before `way`; 0: at the node itself. */
static bool sleeps_to_end(const struct crown *crown, const struct event *event, uint32_t node,
                          uint32_t way)
{
    const struct crown_node *nodes = crown->nodes;
    for (uint32_t at = node; way != 0; at = nodes[at].parent) {
        if (events_depend(event, &nodes[at].event))
            return false;
        if (at == way)
            break;
    }
    for (uint32_t at = nodes[node].waiting; at != 0; at = crown->wakeup.nodes[at].child)
        if (events_depend(event, &crown->wakeup.nodes[at].event))
            return false;
    return true;
}

/* Whether a worker that explores an earlier alternative may find sequences that go on below that
 * end. A worker that explored the end now, with that alternative asleep, would not run them. */
static bool is_awaited(const struct crown *crown, uint32_t node)
{
    const struct crown_node *nodes = crown->nodes;
    for (uint32_t at = node, way = 0; at != 0; way = at, at = nodes[at].parent)
        for (uint32_t begun = nodes[at].first; begun != way; begun = nodes[begun].next)
            if (nodes[begun].state != NODE_CLOSED &&
                sleeps_to_end(crown, &nodes[begun].event, node, way))
                return true;
    return false;
}

static uint32_t after(const struct crown *crown, uint32_t node)
{
    const struct crown_node *nodes = crown->nodes;
    if (nodes[node].first != 0)
        return nodes[node].first;
    while (node != 0 && nodes[node].next == 0)
        node = nodes[node].parent;
    return node != 0 ? nodes[node].next : 0;
}

/* Chooses the node with most work left: one below which no worker is at work, then the
 * shallowest. */
static uint32_t node_to_give(const struct crown *crown, bool *whole)
{
    const struct crown_node *nodes = crown->nodes;
    uint32_t best = 0;
    *whole = false;
    for (uint32_t node = ROOT; node != 0; node = after(crown, node)) {
        if (!can_give(crown, node))
            continue;
        bool quiet = crown_is_quiet(crown, node);
        if (crown->chooses && !quiet)
            continue;
        if ((best == 0 || quiet > *whole ||
             (quiet == *whole && nodes[node].depth < nodes[best].depth)) &&
            (crown->threads || !is_awaited(crown, node))) {
            best = node;
            *whole = quiet;
        }
    }
    return best;
}

static uint32_t put_prefix(const struct crown *crown, uint32_t node, struct decision *prefix)
{
    uint32_t count = 0, all = 0;
    for (uint32_t at = node; at != ROOT; at = crown->nodes[at].parent)
        all += crown->nodes[at].decides;
    for (uint32_t at = node; at != ROOT; at = crown->nodes[at].parent) {
        const struct crown_node *step = &crown->nodes[at];
        if (step->decides)
            prefix[all - ++count] =
                (struct decision){step->depth - 1, step->event.thread, step->outcome};
    }
    return count;
}

/* Puts the alternatives that were begun before `child`, or all if it is 0: they sleep there. */
static void put_done(struct crown *crown, struct numbers *letter, uint32_t parent, uint32_t child)
{
    uint32_t list = 0;
    if (crown->threads)
        crown_push_others(crown, parent, child, &list);
    for (uint32_t at = crown->nodes[parent].first; at != child; at = crown->nodes[at].next)
        if (!crown->threads || !crown->nodes[at].event.footprint.all)
            wakeup_push(&crown->wakeup, &list, &crown->nodes[at].event);
    trees_put(letter, &crown->wakeup, list);
    wakeup_free_list(&crown->wakeup, list);
}

static void put_asleep(const struct crown *crown, struct numbers *letter, uint32_t parent,
                       uint32_t child)
{
    const struct crown_node *nodes = crown->nodes;
    uint32_t count = 0;
    if (crown->threads) { /* a worker computes them from the levels */
        numbers_put(letter, 0);
        return;
    }
    for (uint32_t at = nodes[parent].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        count++;
    for (uint32_t at = nodes[parent].first; at != child; at = nodes[at].next)
        count++;
    letter->wrong |= count > SLEEPERS_MAX;
    numbers_put(letter, count);
    for (uint32_t at = nodes[parent].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        event_put(letter, &crown->wakeup.nodes[at].event);
    for (uint32_t at = nodes[parent].first; at != child; at = nodes[at].next)
        event_put(letter, &nodes[at].event);
}

static void put_levels(struct crown *crown, struct numbers *letter, uint32_t node, uint32_t child)
{
    uint32_t *path = crown->path, depth = crown->nodes[node].depth, at = node;
    CHECK(depth + 1 < crown->events_max);
    path[depth + 1] = child;
    for (uint32_t i = depth + 1; i-- > 0; at = crown->nodes[at].parent)
        path[i] = at;
    numbers_put(letter, depth + 1);
    for (uint32_t step = 0; step <= depth; step++) {
        numbers_put(letter, 0); /* number of steps in between */
        put_done(crown, letter, path[step], path[step + 1]);
    }
}

/* Puts a single level, as if all sleeping events had fallen asleep there. The worker then returns
 * more sequences than it needs to. */
static void put_one_level(struct crown *crown, struct numbers *letter, uint32_t parent,
                          uint32_t child)
{
    uint32_t list = 0;
    for (uint32_t at = crown->nodes[parent].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        wakeup_push(&crown->wakeup, &list, &crown->wakeup.nodes[at].event);
    for (uint32_t at = crown->nodes[parent].first; at != child; at = crown->nodes[at].next)
        wakeup_push(&crown->wakeup, &list, &crown->nodes[at].event);
    numbers_put(letter, 1);
    numbers_put(letter, crown->nodes[parent].depth);
    trees_put(letter, &crown->wakeup, list);
    wakeup_free_list(&crown->wakeup, list);
}

/* Turns the first branch of the first waiting tree, a whole sequence, into nodes. The other
 * branches wait at each of these nodes. */
static uint32_t begin_sequence(struct crown *crown, uint32_t parent)
{
    struct wakeup *wakeup = &crown->wakeup;
    uint32_t first = crown->nodes[parent].waiting, node = parent;
    for (uint32_t at = first; at != 0; at = wakeup->nodes[at].child) {
        const struct event *event = &wakeup->nodes[at].event;
        crown->nodes[node].waiting = wakeup->nodes[at].next;
        node = crown_add_child(crown, node, event, event->choice, NODE_OPEN);
        crown->nodes[node].known = false;
        crown->nodes[node].guided = true;
    }
    crown->nodes[node].state = NODE_HELD;
    crown->nodes[node].guided = false;
    if (crown->threads) { /* another outcome of a known step does not sleep beside anything */
        crown->nodes[node].known = crown->nodes[node].outcome != 0;
        crown->nodes[node].event.footprint.all = crown->nodes[node].outcome != 0;
        crown->nodes[node].event.choice = 0;
    }
    wakeup_free_path(wakeup, first);
    return node;
}

static void put_sequence(const struct crown *crown, struct numbers *letter, uint32_t child)
{
    const struct crown_node *nodes = crown->nodes;
    for (uint32_t at = child; at != 0; at = nodes[at].last) {
        struct event event = nodes[at].event;
        event.choice = nodes[at].outcome;
        numbers_put(letter, 1);
        event_put(letter, &event);
    }
    numbers_put(letter, 0);
}

enum levels { LEVELS_ALL, LEVELS_FEW };

/* Puts a task: the sequence that begins with the last child of a node, or, if `child` is 0, all
 * that waits at the node. A worker that gets few levels does more than it needs to. */
static bool put_task(struct crown *crown, struct parcel *out, uint32_t parent, uint32_t child,
                     enum levels levels)
{
    struct subtree task = {.bound = crown->bound,
                           .first = crown->nodes[parent].depth,
                           .floor = crown->nodes[parent].depth,
                           .check = crown->nodes[parent].check,
                           .prefix = crown->prefix,
                           .prefix_count = put_prefix(crown, parent, crown->prefix)};
    memcpy(task.strategy, crown->strategy, sizeof task.strategy);
    for (uint32_t at = child; at != 0; at = crown->nodes[at].last)
        task.floor++;
    struct numbers letter = parcel_begin(out, &task);
    letter.names = &crown->naming;
    if (levels == LEVELS_ALL)
        put_levels(crown, &letter, parent, child);
    else if (crown->threads)
        numbers_put(&letter, 0);
    else
        put_one_level(crown, &letter, parent, child);
    put_asleep(crown, &letter, parent, child);
    put_sequence(crown, &letter, child);
    trees_put(&letter, &crown->wakeup, child != 0 ? 0 : crown->nodes[parent].waiting);
    if (letter.wrong)
        return false;
    parcel_end(out, &letter);
    return true;
}

/* Gives a whole node. No worker is at work below it and nothing can be added from above, so its
 * details need not stay in the crown. A node at which outcomes wait stays: a worker finds outcomes
 * only by itself. */
static bool give_node(struct crown *crown, uint32_t node, struct parcel *out)
{
    if (crown->threads && crown_outcome_waits(crown, node))
        return false;
    if (!put_task(crown, out, node, 0, LEVELS_ALL) &&
        (crown->threads || !put_task(crown, out, node, 0, LEVELS_FEW)))
        return false;
    wakeup_free_trees(&crown->wakeup, crown->nodes[node].waiting);
    crown_clear_node(crown, node, NODE_HELD);
    crown->nodes[node].waiting = 0;
    crown->nodes[node].guided = false;
    return true;
}

static uint32_t give_sequence(struct crown *crown, uint32_t node, struct parcel *out)
{
    uint32_t leaf = begin_sequence(crown, node), child = crown->nodes[node].last;
    CHECK(put_task(crown, out, node, child, LEVELS_ALL) ||
          put_task(crown, out, node, child, LEVELS_FEW));
    return leaf;
}

static void put_whole(const struct crown *crown, struct parcel *out)
{
    struct subtree task = {.bound = crown->bound};
    memcpy(task.strategy, crown->strategy, sizeof task.strategy);
    struct numbers letter = parcel_begin(out, &task);
    for (int i = 0; i < 4; i++) /* no levels, no sleeping events, no sequence, no waiting trees */
        numbers_put(&letter, 0);
    parcel_end(out, &letter);
}

bool crown_give(struct crown *crown, uint32_t worker, struct parcel *out)
{
    CHECK(worker < CROWN_HOLDERS_MAX);
    CHECK(crown->held[worker] == 0);
    if (!crown->begun) {
        crown->begun = true;
        crown->held[worker] = ROOT;
        put_whole(crown, out);
        return true;
    }
    bool whole;
    uint32_t node = node_to_give(crown, &whole);
    if (node == 0)
        return false;
    journal_begin(crown->journal);
    if (!whole || !give_node(crown, node, out))
        node = give_sequence(crown, node, out);
    journal_seal(crown->journal);
    crown->held[worker] = node;
    return true;
}
