#include "detector/lock_order.h"

#include <stddef.h>

enum { VISITS_MAX = 4096 };

struct search {
    const struct lock_taken *all, **chain;
    bool (*ordered)(const struct lock_taken *a, const struct lock_taken *b);
    uint32_t count, visits;
};

static bool keeps_out(uint32_t held, uint32_t wanted)
{
    return ((held ^ wanted) & ~LOCK_SHARED) == 0 && !(held & wanted & LOCK_SHARED);
}

/* Whether a thread that holds these locks makes another one wait for `lock`. */
static bool holds(const struct lock_taken *taken, uint32_t lock)
{
    for (uint32_t i = 0; i < taken->held_count; i++)
        if (keeps_out(taken->held[i], lock))
            return true;
    return false;
}

static bool share_a_lock(const struct lock_taken *a, const struct lock_taken *b)
{
    for (uint32_t i = 0; i < a->held_count; i++)
        if (holds(b, a->held[i]))
            return true;
    return false;
}

static bool fits(const struct search *search, const struct lock_taken *next)
{
    if (!holds(next, search->chain[search->count - 1]->lock))
        return false;
    for (uint32_t i = 0; i < search->count; i++) {
        const struct lock_taken *other = search->chain[i];
        if (other->thread == next->thread || share_a_lock(other, next) ||
            search->ordered(other, next))
            return false;
    }
    return true;
}

static bool close_circle(struct search *search)
{
    for (const struct lock_taken *next = search->all; next != NULL; next = next->next) {
        if (++search->visits > VISITS_MAX)
            return false;
        if (!fits(search, next))
            continue;
        search->chain[search->count++] = next;
        if (holds(search->chain[0], next->lock))
            return true;
        if (search->count < LOCK_CHAIN_MAX && close_circle(search))
            return true;
        search->count--;
    }
    return false;
}

uint32_t lock_order_circle(const struct lock_taken *all, const struct lock_taken *from,
                           bool (*ordered)(const struct lock_taken *a, const struct lock_taken *b),
                           const struct lock_taken *chain[LOCK_CHAIN_MAX])
{
    struct search search = {.all = all, .chain = chain, .ordered = ordered, .count = 1};
    chain[0] = from;
    return close_circle(&search) ? search.count : 0;
}

bool lock_taken_is_like(const struct lock_taken *a, const struct lock_taken *b)
{
    if (a->thread != b->thread || a->lock != b->lock || a->site != b->site ||
        a->held_count != b->held_count)
        return false;
    for (uint32_t i = 0; i < a->held_count; i++)
        if (a->held[i] != b->held[i])
            return false;
    return true;
}
