#include "strategy/parallel/crown.h"

#include <string.h>

#include "base/mix.h"
#include "strategy/parallel/crown_node.h"

enum { OBJECT_SLOTS = 2 * CROWN_OBJECTS_MAX };

struct crown_object {
    uint64_t name;
    uint32_t number; /* 0: the slot is free */
};

static uint64_t name_of(void *context, uint32_t object)
{
    const struct crown *crown = context;
    return crown->names[object];
}

/* Number of an object in the crown. All objects beyond the limit share one number, and nothing is
 * claimed then. */
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

void crown_open(struct crown *crown, struct arena *arena, const struct strategy *strategy,
                uint32_t steps_max, int32_t bound, bool fails)
{
    memset(crown, 0, sizeof *crown);
    memcpy(crown->strategy, strategy_whole(strategy, 0).strategy, sizeof crown->strategy);
    crown->threads = strategy->sharing.crown == CROWN_OF_THREADS;
    crown->bound = bound;
    crown->fails = fails;
    crown->nodes = arena_take(arena, (CROWN_NODES_MAX + 1) * sizeof *crown->nodes);
    crown->events_max = steps_max + 2;
    crown->events = arena_take(arena, crown->events_max * sizeof *crown->events);
    crown->prefix = arena_take(arena, crown->events_max * sizeof *crown->prefix);
    crown->path = arena_take(arena, crown->events_max * sizeof *crown->path);
    crown->journal = arena_take(arena, sizeof *crown->journal);
    crown->slots = arena_take(arena, OBJECT_SLOTS * sizeof *crown->slots);
    crown->names = arena_take(arena, CROWN_OBJECTS_MAX * sizeof *crown->names);
    crown_go_on(crown);
    crown->journal->origin = arena->bytes;
    wakeup_open(&crown->wakeup, arena, crown->journal);
    crown->used = ROOT + 1;
    crown->nodes[ROOT] = (struct crown_node){.state = NODE_HELD, .known = true};
}

static uint64_t share_of_held(const struct crown *crown, uint32_t node, const uint64_t *of_worker)
{
    for (uint32_t i = 0; i < CROWN_HOLDERS_MAX; i++)
        if (crown->held[i] == node)
            return of_worker[i];
    return 0;
}

static uint64_t share_below(const struct crown *crown, uint32_t node, uint64_t here,
                            const uint64_t *of_worker)
{
    const struct crown_node *at = &crown->nodes[node];
    uint64_t branches = 0, done = 0;
    if (at->state == NODE_CLOSED)
        return here;
    if (at->state == NODE_HELD)
        return (uint64_t)((unsigned __int128)here * share_of_held(crown, node, of_worker) >> 64);
    for (uint32_t child = at->first; child != 0; child = crown->nodes[child].next)
        branches++;
    for (uint32_t tree = at->waiting; tree != 0; tree = crown->wakeup.nodes[tree].next)
        branches++;
    for (uint32_t child = at->first; child != 0; child = crown->nodes[child].next)
        done += share_below(crown, child, here / branches, of_worker);
    return done;
}

uint64_t crown_share(const struct crown *crown, const uint64_t *of_worker)
{
    return share_below(crown, ROOT, UINT64_MAX, of_worker);
}

bool crown_has_room(const struct crown *crown)
{
    return crown->in_use + 2 * crown->events_max < CROWN_NODES_MAX;
}

bool crown_is_done(const struct crown *crown)
{
    return crown->nodes[ROOT].state == NODE_CLOSED;
}
