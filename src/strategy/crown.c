#include "strategy/crown.h"

#include <string.h>

#include "base/mix.h"
#include "strategy/dpor.h"
#include "strategy/letter.h"

enum { ROOT = 1, OBJECT_SLOTS = 2 * CROWN_OBJECTS_MAX };

enum node_state { NODE_HELD, NODE_OPEN, NODE_CLOSED };

struct crown_node {
    uint32_t parent; /* free: the next free one */
    uint32_t first, last, next; /* children, and sibling */
    uint32_t waiting; /* trees of alternatives that were not begun */
    uint32_t asleep;  /* open: what sleeps here whatever is done next */
    uint32_t depth;   /* steps up to here */
    uint32_t check;   /* open: fingerprint of those steps */
    uint8_t state;    /* enum node_state */
    uint8_t known;    /* it was run: the event is as it was, not as it was expected */
    uint8_t guided;   /* on the way to the end of a sequence that was handed out */
    uint8_t decides;  /* there was something to decide at its step */
    struct event event;
};

struct crown_object {
    uint64_t name;
    uint32_t number; /* 0: the slot is free */
};

static uint64_t name_of(void *context, uint32_t object)
{
    const struct crown *crown = context;
    return crown->names[object];
}

/* Objects beyond the limit are one. */
static uint32_t number_of(void *context, uint64_t name)
{
    struct crown *crown = context;
    if (name == 0)
        return 0;
    for (uint64_t at = mix(name, 1) % OBJECT_SLOTS;; at = (at + 1) % OBJECT_SLOTS) {
        struct crown_object *slot = &crown->slots[at];
        if (slot->number != 0 && slot->name == name)
            return slot->number;
        if (slot->number != 0)
            continue;
        if (crown->object_count + 1 == CROWN_OBJECTS_MAX) {
            crown->overflow = true;
            return CROWN_OBJECTS_MAX - 1;
        }
        *slot = (struct crown_object){name, ++crown->object_count};
        crown->names[slot->number] = name;
        return slot->number;
    }
}

void crown_go_on(struct crown *crown)
{
    crown->naming = (struct naming){name_of, number_of, crown};
}

void crown_open(struct crown *crown, struct arena *arena, uint32_t steps_max, bool fails)
{
    memset(crown, 0, sizeof *crown);
    crown->fails = fails;
    crown->nodes = arena_take(arena, (CROWN_NODES_MAX + 1) * sizeof *crown->nodes);
    crown->events_max = steps_max + 2;
    crown->events = arena_take(arena, crown->events_max * sizeof *crown->events);
    crown->journal = arena_take(arena, sizeof *crown->journal);
    crown->slots = arena_take(arena, OBJECT_SLOTS * sizeof *crown->slots);
    crown->names = arena_take(arena, CROWN_OBJECTS_MAX * sizeof *crown->names);
    crown_go_on(crown);
    crown->journal->origin = arena->bytes;
    wakeup_open(&crown->wakeup, arena, crown->journal);
    crown->used = ROOT + 1;
    crown->nodes[ROOT] = (struct crown_node){.state = NODE_HELD, .known = true};
}

bool crown_is_done(const struct crown *crown)
{
    return crown->nodes[ROOT].state == NODE_CLOSED;
}

static uint32_t node_take(struct crown *crown)
{
    uint32_t node = crown->free;
    if (node != 0) {
        crown->free = crown->nodes[node].parent;
        return node;
    }
    CHECK(crown->used <= CROWN_NODES_MAX);
    return crown->used++;
}

static void node_free(struct crown *crown, uint32_t node)
{
    crown->nodes[node].parent = crown->free;
    crown->free = node;
}

static uint32_t add_child(struct crown *crown, uint32_t parent, const struct event *event,
                          enum node_state state)
{
    uint32_t node = node_take(crown), last = crown->nodes[parent].last;
    crown->nodes[node] = (struct crown_node){
        .parent = parent,
        .depth = crown->nodes[parent].depth + 1,
        .state = (uint8_t)state,
        .known = true,
        .decides = true,
        .event = *event,
    };
    if (last != 0)
        crown->nodes[last].next = node;
    else
        crown->nodes[parent].first = node;
    crown->nodes[parent].last = node;
    return node;
}

static void remove_child(struct crown *crown, uint32_t node)
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

/* What was begun before it sleeps, unless it depends on it. */
static void find_asleep(struct crown *crown, uint32_t node)
{
    const struct crown_node *nodes = crown->nodes;
    uint32_t parent = nodes[node].parent;
    if (node == ROOT)
        return;
    for (uint32_t at = nodes[parent].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        sleep_on(crown, node, &crown->wakeup.nodes[at].event);
    for (uint32_t at = nodes[parent].first; at != node; at = nodes[at].next)
        sleep_on(crown, node, &nodes[at].event);
}

/* What is below it, or sleeps there, is of no use here any more. */
static void clear_node(struct crown *crown, uint32_t node, enum node_state state)
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

/* Something waits there, and of all that was begun it is known what it does. */
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

static uint32_t after(const struct crown *crown, uint32_t node)
{
    const struct crown_node *nodes = crown->nodes;
    if (nodes[node].first != 0)
        return nodes[node].first;
    while (node != 0 && nodes[node].next == 0)
        node = nodes[node].parent;
    return node != 0 ? nodes[node].next : 0;
}

/* Nothing can be added any more: what was begun before it, or before a step on the way to it, is through. */
static bool is_settled(const struct crown *crown, uint32_t node)
{
    const struct crown_node *nodes = crown->nodes;
    for (; nodes[node].guided; node = nodes[node].parent)
        for (uint32_t at = nodes[nodes[node].parent].first; at != node; at = nodes[at].next)
            if (nodes[at].state != NODE_CLOSED)
                return false;
    return true;
}

static bool is_quiet(const struct crown *crown, uint32_t node)
{
    for (uint32_t at = crown->nodes[node].first; at != 0; at = crown->nodes[at].next)
        if (crown->nodes[at].state != NODE_CLOSED)
            return false;
    return is_settled(crown, node);
}

/* Most is left where nobody is at work, and where the tree is shallowest. */
static uint32_t node_to_give(const struct crown *crown, bool *whole)
{
    const struct crown_node *nodes = crown->nodes;
    uint32_t best = 0;
    *whole = false;
    for (uint32_t node = ROOT; node != 0; node = after(crown, node)) {
        if (!can_give(crown, node))
            continue;
        bool quiet = is_quiet(crown, node);
        if (crown->chooses && !quiet)
            continue;
        if (best == 0 || quiet > *whole ||
            (quiet == *whole && nodes[node].depth < nodes[best].depth)) {
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
                (struct decision){step->depth - 1, step->event.thread, step->event.choice};
    }
    return count;
}

/* The alternatives that were begun before a child, or all if it is 0: they sleep there. */
static void put_done(struct crown *crown, struct letter *letter, uint32_t parent, uint32_t child)
{
    uint32_t list = 0;
    for (uint32_t at = crown->nodes[parent].first; at != child; at = crown->nodes[at].next)
        wakeup_push(&crown->wakeup, &list, &crown->nodes[at].event);
    letter_put_trees(letter, &crown->wakeup, list);
    wakeup_free_list(&crown->wakeup, list);
}

static void put_asleep(const struct crown *crown, struct letter *letter, uint32_t parent,
                       uint32_t child)
{
    const struct crown_node *nodes = crown->nodes;
    uint32_t count = 0;
    for (uint32_t at = nodes[parent].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        count++;
    for (uint32_t at = nodes[parent].first; at != child; at = nodes[at].next)
        count++;
    letter->wrong |= count > SLEEPERS_MAX;
    letter_put(letter, count);
    for (uint32_t at = nodes[parent].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        letter_put_event(letter, &crown->wakeup.nodes[at].event);
    for (uint32_t at = nodes[parent].first; at != child; at = nodes[at].next)
        letter_put_event(letter, &nodes[at].event);
}

static void put_levels(struct crown *crown, struct letter *letter, uint32_t node, uint32_t child)
{
    uint32_t path[SUBTREE_DECISIONS_MAX + 1], depth = crown->nodes[node].depth, at = node;
    CHECK(depth < SUBTREE_DECISIONS_MAX);
    path[depth + 1] = child;
    for (uint32_t i = depth + 1; i-- > 0; at = crown->nodes[at].parent)
        path[i] = at;
    letter_put(letter, depth + 1);
    for (uint32_t step = 0; step <= depth; step++) {
        letter_put(letter, 0); /* steps in between */
        put_done(crown, letter, path[step], path[step + 1]);
    }
}

/* As if all that sleeps had fallen asleep there: who does not know better returns more. */
static void put_one_level(struct crown *crown, struct letter *letter, uint32_t parent,
                          uint32_t child)
{
    uint32_t list = 0;
    for (uint32_t at = crown->nodes[parent].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        wakeup_push(&crown->wakeup, &list, &crown->wakeup.nodes[at].event);
    for (uint32_t at = crown->nodes[parent].first; at != child; at = crown->nodes[at].next)
        wakeup_push(&crown->wakeup, &list, &crown->nodes[at].event);
    letter_put(letter, 1);
    letter_put(letter, crown->nodes[parent].depth);
    letter_put_trees(letter, &crown->wakeup, list);
    wakeup_free_list(&crown->wakeup, list);
}

/* The whole sequence that its first branch is becomes nodes; what else there is waits at each of them. */
static uint32_t begin_sequence(struct crown *crown, uint32_t parent)
{
    struct wakeup *wakeup = &crown->wakeup;
    uint32_t first = crown->nodes[parent].waiting, node = parent;
    for (uint32_t at = first; at != 0; at = wakeup->nodes[at].child) {
        crown->nodes[node].waiting = wakeup->nodes[at].next;
        node = add_child(crown, node, &wakeup->nodes[at].event, NODE_OPEN);
        crown->nodes[node].known = false;
        crown->nodes[node].guided = true;
    }
    crown->nodes[node].state = NODE_HELD;
    crown->nodes[node].guided = false;
    wakeup_free_path(wakeup, first);
    return node;
}

static void put_sequence(const struct crown *crown, struct letter *letter, uint32_t child)
{
    const struct crown_node *nodes = crown->nodes;
    for (uint32_t at = child; at != 0; at = nodes[at].last) {
        letter_put(letter, 1);
        letter_put_event(letter, &nodes[at].event);
    }
    letter_put(letter, 0);
}

/* What is below a node: the last child, which begins a sequence; or, if it is 0, all that waits. */
static bool put_task(struct crown *crown, struct parcel *out, uint32_t parent, uint32_t child,
                     bool all_levels)
{
    struct decision prefix[SUBTREE_DECISIONS_MAX];
    struct subtree task = {.strategy = "dpor",
                           .first = crown->nodes[parent].depth,
                           .floor = crown->nodes[parent].depth,
                           .check = crown->nodes[parent].check,
                           .prefix = prefix,
                           .prefix_count = put_prefix(crown, parent, prefix)};
    for (uint32_t at = child; at != 0; at = crown->nodes[at].last)
        task.floor++;
    struct letter letter = letter_begin(out, task.prefix_count);
    letter.names = &crown->naming;
    if (all_levels)
        put_levels(crown, &letter, parent, child);
    else
        put_one_level(crown, &letter, parent, child);
    put_asleep(crown, &letter, parent, child);
    put_sequence(crown, &letter, child);
    letter_put_trees(&letter, &crown->wakeup, child != 0 ? 0 : crown->nodes[parent].waiting);
    if (letter.wrong)
        return false;
    task.extra = letter.bytes;
    task.extra_size = letter.used;
    parcel_put(out, &task);
    return true;
}

/* Nobody is at work below it, and nothing comes from above: so it need not stay here. */
static bool give_node(struct crown *crown, uint32_t node, struct parcel *out)
{
    if (!put_task(crown, out, node, 0, true) && !put_task(crown, out, node, 0, false))
        return false;
    wakeup_free_trees(&crown->wakeup, crown->nodes[node].waiting);
    clear_node(crown, node, NODE_HELD);
    crown->nodes[node].waiting = 0;
    crown->nodes[node].guided = false;
    return true;
}

static uint32_t give_sequence(struct crown *crown, uint32_t node, struct parcel *out)
{
    uint32_t leaf = begin_sequence(crown, node), child = crown->nodes[node].last;
    CHECK(put_task(crown, out, node, child, true) || put_task(crown, out, node, child, false));
    return leaf;
}

static void put_whole(struct parcel *out)
{
    struct subtree task = {.strategy = "dpor"};
    struct letter letter = letter_begin(out, 0);
    for (int i = 0; i < 4; i++) /* no levels, nothing asleep, no sequence, nothing that waits */
        letter_put(&letter, 0);
    task.extra = letter.bytes;
    task.extra_size = letter.used;
    parcel_put(out, &task);
}

bool crown_give(struct crown *crown, uint32_t worker, struct parcel *out)
{
    CHECK(worker < CROWN_HOLDERS_MAX);
    CHECK(crown->held[worker] == 0);
    if (!crown->begun) {
        crown->begun = true;
        crown->held[worker] = ROOT;
        put_whole(out);
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

/* The sequence that was handed out was run: what its steps were. */
static enum root take_root(struct crown *crown, struct letter *letter, uint32_t node)
{
    uint32_t path[SUBTREE_DECISIONS_MAX];
    enum root root = (enum root)letter_take(letter, ROOT_VOID);
    uint64_t count = letter_take(letter, SUBTREE_DECISIONS_MAX);
    if (root == ROOT_VOID)
        node = crown->nodes[node].parent;
    for (uint64_t i = count; i-- > 0 && !letter->wrong; node = crown->nodes[node].parent) {
        path[i] = node;
        letter->wrong |= node == 0 || node == ROOT;
    }
    for (uint64_t i = 0; i < count && !letter->wrong; i++) {
        struct crown_node *step = &crown->nodes[path[i]];
        crown->nodes[step->parent].check = (uint32_t)letter_take(letter, UINT32_MAX);
        step->event = letter_take_event(letter);
        if (step->known)
            continue;
        step->known = true;
        if (step->state == NODE_OPEN)
            find_asleep(crown, path[i]);
    }
    return root;
}

/* The steps below the node that it held, down to the one that it holds now. */
static uint32_t take_steps(struct crown *crown, struct letter *letter, uint32_t node)
{
    uint64_t count = letter_take(letter, SUBTREE_DECISIONS_MAX);
    if (count == 0)
        return node;
    letter->wrong |= !crown->nodes[node].known;
    letter->wrong |= crown->nodes[node].depth + count > SUBTREE_DECISIONS_MAX;
    for (; count > 0 && !letter->wrong; count--) {
        crown->nodes[node].state = NODE_OPEN;
        crown->nodes[node].check = (uint32_t)letter_take(letter, UINT32_MAX);
        find_asleep(crown, node);
        uint32_t done = letter_take_trees(letter, &crown->wakeup);
        for (uint32_t at = done; at != 0; at = crown->wakeup.nodes[at].next)
            add_child(crown, node, &crown->wakeup.nodes[at].event, NODE_CLOSED);
        wakeup_free_list(&crown->wakeup, done);
        crown->nodes[node].waiting = letter_take_trees(letter, &crown->wakeup);
        bool decides = letter_take(letter, 1);
        struct event event = letter_take_event(letter);
        node = add_child(crown, node, &event, NODE_HELD);
        crown->nodes[node].decides = decides;
    }
    crown->nodes[node].known = (uint8_t)letter_take(letter, 1);
    return node;
}

static uint32_t drop(struct event *events, uint32_t count, int32_t place)
{
    if (place < 0)
        return count;
    memmove(&events[place], &events[place + 1], (count - 1 - (uint32_t)place) * sizeof *events);
    return count - 1;
}

/* What was explored covers the sequence, as one search alone sees it. */
static bool covers(const struct crown *crown, const struct event *event, uint32_t count)
{
    return event_initial(event, crown->events, count) >= (crown->fails ? 0 : EVENT_ABSENT);
}

/* The alternative of a later step that part of the sequence can begin with. */
static uint32_t begun_with(const struct crown *crown, uint32_t node, uint32_t own, uint32_t count,
                           int32_t *place, bool *earlier)
{
    const struct crown_node *nodes = crown->nodes;
    *earlier = own != 0;
    for (uint32_t at = nodes[node].first; at != 0; at = nodes[at].next) {
        if (at == own) {
            *earlier = false;
            continue;
        }
        *place = event_initial(&nodes[at].event, crown->events, count);
        if (*earlier ? covers(crown, &nodes[at].event, count) : *place != EVENT_LATER)
            return at;
    }
    return 0;
}

/* Adds a sequence from a step on, for who holds a node below: unless what sleeps there, was begun before
 * its way or is the end of a sequence covers it; on the way to such an end it goes on below. */
static void insert(struct crown *crown, uint32_t held, uint32_t step, uint32_t count)
{
    struct crown_node *nodes = crown->nodes;
    uint32_t own = held;
    while (nodes[own].depth > step + 1)
        own = nodes[own].parent;
    uint32_t node = nodes[own].parent;
    for (uint32_t at = nodes[node].asleep; at != 0; at = crown->wakeup.nodes[at].next)
        if (covers(crown, &crown->wakeup.nodes[at].event, count))
            return;
    for (;;) {
        int32_t place;
        bool earlier;
        uint32_t at = begun_with(crown, node, own, count, &place, &earlier);
        if (at == 0)
            break;
        count = drop(crown->events, count, place);
        if (!earlier && !nodes[at].guided && events_choose(crown->events, count))
            crown->overflow = true; /* one search alone would have gone that way */
        if (earlier || !nodes[at].guided || count == 0)
            return;
        node = at;
        own = 0;
    }
    wakeup_insert(&crown->wakeup, &nodes[node].waiting, crown->events, count);
}

static void take_returns(struct crown *crown, struct letter *letter, uint32_t held)
{
    uint64_t count;
    while ((count = letter_take(letter, crown->events_max)) > 0) {
        uint64_t step = letter_take(letter, UINT32_MAX);
        letter->wrong |= step >= crown->nodes[held].depth;
        for (uint64_t i = 0; i < count && !letter->wrong; i++)
            crown->events[i] = letter_take_event(letter);
        if (letter->wrong)
            return;
        insert(crown, held, (uint32_t)step, (uint32_t)count);
    }
}

static bool is_over(const struct crown *crown, uint32_t node)
{
    return crown->nodes[node].state == NODE_OPEN && crown->nodes[node].waiting == 0 &&
           is_quiet(crown, node);
}

/* Those guided steps from here on that are through, the deepest first; false: this one is not. */
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
    clear_node(crown, node, NODE_CLOSED);
    return true;
}

/* What is through when something is, from its parent on. */
static void close_above(struct crown *crown, uint32_t node)
{
    for (; node != 0; node = crown->nodes[node].parent) {
        for (uint32_t at = crown->nodes[node].first; at != 0; at = crown->nodes[at].next)
            if (!close_guided(crown, at))
                break;
        if (!is_over(crown, node))
            return;
        clear_node(crown, node, NODE_CLOSED);
    }
}

static void finish(struct crown *crown, uint32_t node, bool ran)
{
    uint32_t parent = crown->nodes[node].parent;
    if (ran)
        clear_node(crown, node, NODE_CLOSED);
    else
        remove_child(crown, node);
    close_above(crown, parent);
}

bool crown_take(struct crown *crown, uint32_t worker, struct parcel *in)
{
    struct decision prefix[SUBTREE_DECISIONS_MAX];
    struct subtree report;
    CHECK(worker < CROWN_HOLDERS_MAX);
    uint32_t node = crown->held[worker];
    if (node == 0 || !parcel_take(in, &report, prefix) || in->used != in->size)
        return false;
    struct letter letter = letter_open(&report);
    letter.names = &crown->naming;
    journal_begin(crown->journal);
    crown->chooses |= letter_take(&letter, 1) != 0;
    enum root root = take_root(crown, &letter, node);
    node = crown->held[worker] = take_steps(crown, &letter, node);
    take_returns(crown, &letter, node);
    bool ended = letter_take(&letter, 1);
    bool good = !letter.wrong && letter.used == letter.size;
    if (good && ended) {
        finish(crown, node, root != ROOT_VOID || node == ROOT);
        crown->held[worker] = 0;
    }
    journal_seal(crown->journal);
    return good;
}
