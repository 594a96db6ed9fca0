#include "strategy/blocks/chains.h"

#include <string.h>

#include "strategy/blocks/atomic_blocks.h"

enum { LOCKS_MAX = 1 << 16, EDGES_MAX = 1 << 12, VISITS_MAX = 1 << 16 };

void chains_open(struct chains *chains, struct arena *arena)
{
    chains->locks = arena_take(arena, LOCKS_MAX * sizeof *chains->locks);
    chains->edges = arena_take(arena, EDGES_MAX * sizeof *chains->edges);
}

void chains_begin(struct chains *chains)
{
    chains->generation++;
    memset(chains->threads, 0, sizeof chains->threads);
}

static struct held_lock *lock_at(struct chains *chains, uint32_t lock)
{
    struct held_lock *at = &chains->locks[lock];
    if (at->generation != chains->generation)
        *at = (struct held_lock){.generation = chains->generation, .owner = NO_THREAD};
    return at;
}

static void take(struct chains *chains, thread_id thread, uint32_t lock, uint32_t number)
{
    struct held_lock *at = lock_at(chains, lock);
    if (at->depth++ > 0)
        return;
    at->owner = thread;
    at->taken = number;
    at->below = chains->threads[thread].top;
    chains->threads[thread].top = lock;
}

static void give(struct chains *chains, thread_id thread, uint32_t lock)
{
    struct held_lock *at = lock_at(chains, lock);
    if (at->depth == 0 || --at->depth > 0)
        return;
    uint32_t *link = &chains->threads[at->owner].top;
    if (*link != lock || at->owner != thread)
        chains->unnested = true;
    while (*link != lock && *link != NO_OBJECT)
        link = &chains->locks[*link].below;
    *link = at->below;
    chains->threads[thread].last = lock;
    chains->threads[thread].last_taken = at->taken;
    at->owner = NO_THREAD;
}

static bool is_shared(enum op_kind kind)
{
    return kind == OP_RWLOCK_READ || kind == OP_RWLOCK_TRYREAD || kind == OP_RWLOCK_TIMEDREAD ||
           kind == OP_RWLOCK_UNREAD;
}

void chains_step(struct chains *chains, const struct step *step, uint32_t number)
{
    uint32_t lock = op_lock(&step->op);
    if (lock == NO_OBJECT)
        return;
    if (lock >= LOCKS_MAX || is_shared(step->op.kind)) {
        chains->shared = true;
        return;
    }
    enum lock_change change = step_lock_change(step);
    if (change == LOCK_TAKES)
        take(chains, step->thread, lock, number);
    if (change == LOCK_GIVES)
        give(chains, step->thread, lock);
}

uint32_t chains_find(struct chains *chains, thread_id thread, uint32_t lock,
                     thread_id others[THREADS_MAX])
{
    uint32_t count = 0;
    if (lock == NO_OBJECT || lock >= LOCKS_MAX)
        return 0;
    for (;;) {
        const struct held_lock *held = lock_at(chains, lock);
        thread_id owner = held->owner;
        if (owner == thread)
            return count;
        uint32_t last = owner == NO_THREAD ? NO_OBJECT : chains->threads[owner].last;
        if (last == NO_OBJECT || chains->threads[owner].last_taken < held->taken ||
            count == THREADS_MAX)
            return 0;
        for (uint32_t i = 0; i < count; i++)
            if (others[i] == owner)
                return 0;
        others[count++] = owner;
        lock = last;
    }
}

static bool has_edge(const struct chains *chains, uint32_t edges, const struct lock_edge *edge)
{
    for (uint32_t i = 0; i < edges; i++)
        if (chains->edges[i].held == edge->held && chains->edges[i].wanted == edge->wanted &&
            chains->edges[i].thread == edge->thread)
            return true;
    return false;
}

uint32_t chains_note(struct chains *chains, uint32_t edges, thread_id thread, uint32_t lock)
{
    if (lock == NO_OBJECT || lock >= LOCKS_MAX)
        return edges;
    uint32_t held = chains->threads[thread].top;
    for (; held != NO_OBJECT && edges < EDGES_MAX; held = chains->locks[held].below) {
        struct lock_edge edge = {held, lock, thread};
        if (held != lock && !has_edge(chains, edges, &edge))
            chains->edges[edges++] = edge;
    }
    return edges;
}

struct closing {
    const struct chains *chains;
    uint32_t edges, visits;
    uint32_t first; /* the lock that the last thread of the chain wants, which closes the circle */
    thread_set used;
};

static bool closes(struct closing *closing, uint32_t lock)
{
    for (uint32_t i = 0; i < closing->edges; i++) {
        const struct lock_edge *edge = &closing->chains->edges[i];
        if (edge->held != lock || thread_set_has(&closing->used, edge->thread))
            continue;
        if (edge->wanted == closing->first || ++closing->visits > VISITS_MAX)
            return true;
        thread_set_add(&closing->used, edge->thread);
        if (closes(closing, edge->wanted))
            return true;
        thread_set_remove(&closing->used, edge->thread);
    }
    return false;
}

bool chains_may_close(const struct chains *chains, uint32_t edges)
{
    if (edges == EDGES_MAX || chains->shared)
        return true;
    for (uint32_t i = 0; i < edges; i++) {
        struct closing closing = {.chains = chains, .edges = edges, .first = chains->edges[i].held};
        thread_set_add(&closing.used, chains->edges[i].thread);
        if (closes(&closing, chains->edges[i].wanted))
            return true;
    }
    return false;
}
