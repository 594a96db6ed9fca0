/* Reports of workers: the steps of the sequence that a worker was given, the steps down to the node
 * that it holds now, sequences that must run above that node, and whether the worker is through. */
#include <string.h>

#include "strategy/parallel/crown_node.h"
#include "strategy/reduction/dpor.h"

/* Reads the report of a worker that holds a node. false: the report cannot be that worker's. */
static bool read(const struct crown *crown, uint32_t worker, struct parcel *in,
                 struct numbers *letter)
{
    struct subtree report;
    CHECK(worker < CROWN_HOLDERS_MAX);
    if (crown->held[worker] == 0 || !parcel_take(in, &report, NULL, 0) || in->used != in->size)
        return false;
    *letter = report.rest;
    letter->names = &crown->naming;
    return true;
}

/* Notes that the sequence that was handed out ran, and which events its steps were. */
static enum root take_root(struct crown *crown, struct numbers *letter, uint32_t node)
{
    uint32_t *path = crown->path;
    enum root root = (enum root)numbers_take(letter, ROOT_VOID);
    uint64_t count = numbers_take(letter, crown->events_max);
    if (root == ROOT_VOID)
        node = crown->nodes[node].parent;
    for (uint64_t i = count; i-- > 0 && !letter->wrong; node = crown->nodes[node].parent) {
        path[i] = node;
        letter->wrong |= node == 0 || node == ROOT;
    }
    for (uint64_t i = 0; i < count && !letter->wrong; i++) {
        struct crown_node *step = &crown->nodes[path[i]];
        step->event = event_take(letter);
        step->check = (uint32_t)numbers_take(letter, UINT32_MAX);
        uint64_t choices = numbers_take(letter, UINT16_MAX);
        if (step->known)
            continue;
        step->known = true;
        if (step->state == NODE_OPEN)
            crown_find_asleep(crown, path[i]);
        crown_add_outcomes(crown, path[i], choices);
    }
    return root;
}

/* Adds the steps below the node that the worker held, down to the node that it holds now. */
static uint32_t take_steps(struct crown *crown, struct numbers *letter, uint32_t node)
{
    uint64_t count = numbers_take(letter, crown->events_max);
    if (count == 0)
        return node;
    letter->wrong |= !crown->nodes[node].known;
    letter->wrong |= crown->nodes[node].depth + count > crown->events_max;
    for (; count > 0 && !letter->wrong; count--) {
        crown->nodes[node].state = NODE_OPEN;
        crown->nodes[node].check = (uint32_t)numbers_take(letter, UINT32_MAX);
        crown_find_asleep(crown, node);
        uint32_t done = trees_take(letter, &crown->wakeup);
        for (uint32_t at = done; at != 0; at = crown->wakeup.nodes[at].next) {
            const struct event *event = &crown->wakeup.nodes[at].event;
            crown_add_child(crown, node, event, event->choice, NODE_CLOSED);
        }
        wakeup_free_list(&crown->wakeup, done);
        crown->nodes[node].waiting = trees_take(letter, &crown->wakeup);
        bool decides = numbers_take(letter, 1);
        struct event event = event_take(letter);
        uint16_t outcome = (uint16_t)numbers_take(letter, UINT16_MAX);
        node = crown_add_child(crown, node, &event, outcome, NODE_HELD);
        crown->nodes[node].decides = decides;
        crown_add_outcomes(crown, node, numbers_take(letter, UINT16_MAX));
    }
    crown->nodes[node].known = (uint8_t)numbers_take(letter, 1);
    return node;
}

static uint32_t drop(struct event *events, uint32_t count, int32_t place)
{
    if (place < 0)
        return count;
    memmove(&events[place], &events[place + 1], (count - 1 - (uint32_t)place) * sizeof *events);
    return count - 1;
}

/* Whether an explored event covers the sequence, as a single search would see it. */
static bool covers(const struct crown *crown, const struct event *event, uint32_t count)
{
    return event_initial(event, crown->events, count) >= (crown->fails ? 0 : EVENT_ABSENT);
}

/* The alternative at a node that part of the sequence can begin with. `earlier`: the alternative
 * was begun before the worker's own way. */
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

/* Adds a sequence from a step on, for a worker that holds a node below that step. Nothing is added
 * if the sequence is covered: by an event that sleeps there, by an alternative begun before the
 * worker's way, or by the end of a sequence that was handed out. On the way to such an end the
 * sequence continues below. */
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
        if (!earlier && !nodes[at].guided && count > 0 &&
            (events_choose(crown->events, count) ||
             (own != 0 && !crown->fails && !events_depend(&nodes[own].event, &nodes[at].event))))
            crown->overflow = true; /* a single search would have gone that way */
        if (earlier || !nodes[at].guided || count == 0)
            return;
        node = at;
        own = 0;
    }
    wakeup_insert(&crown->wakeup, &nodes[node].waiting, crown->events, count);
}

static void take_returns(struct crown *crown, struct numbers *letter, uint32_t held)
{
    uint64_t count;
    while ((count = numbers_take(letter, crown->events_max)) > 0) {
        uint64_t step = numbers_take(letter, UINT32_MAX);
        letter->wrong |= step >= crown->nodes[held].depth;
        for (uint64_t i = 0; i < count && !letter->wrong; i++)
            crown->events[i] = event_take(letter);
        if (letter->wrong)
            return;
        if (crown->threads)
            crown_add_threads(crown, held, (uint32_t)step, (uint32_t)count);
        else
            insert(crown, held, (uint32_t)step, (uint32_t)count);
    }
}

bool crown_take(struct crown *crown, uint32_t worker, struct parcel *in)
{
    struct numbers letter;
    if (!read(crown, worker, in, &letter))
        return false;
    uint32_t node = crown->held[worker];
    journal_begin(crown->journal);
    uint64_t facts = numbers_take(&letter, CROWN_CHOOSES | CROWN_BEYOND);
    crown->chooses |= (facts & CROWN_CHOOSES) != 0;
    crown->beyond |= (facts & CROWN_BEYOND) != 0;
    enum root root = take_root(crown, &letter, node);
    node = crown->held[worker] = take_steps(crown, &letter, node);
    take_returns(crown, &letter, node);
    bool ended = numbers_take(&letter, 1);
    bool good = numbers_end(&letter);
    if (good && ended) {
        crown_finish(crown, node, root != ROOT_VOID || node == ROOT);
        crown->held[worker] = 0;
    }
    journal_seal(crown->journal);
    return good;
}
