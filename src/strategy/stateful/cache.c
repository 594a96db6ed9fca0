#include "strategy/stateful/cache.h"

#include "base/mix.h"

void cache_open(struct cache *cache, const struct strategy_options *options, struct arena *arena,
                struct journal *journal)
{
    *cache = (struct cache){0};
    if (!options->cache)
        return;
    cache->journal = journal;
    cache->pasts =
        arena_take(arena, sizeof *cache->pasts + options->steps_max * sizeof *cache->pasts->names);
    cache->seen = seen_open(arena, (arena->capacity - arena->used) / 2);
}

struct decision cache_choose(const struct cache *cache, struct pilot *pilot,
                             const struct choice_point *at, uint64_t context)
{
    struct pasts *pasts = cache->pasts;
    if (pilot->position == 0)
        pasts->count = 0;
    pilot_looked(pilot, at);
    uint64_t *name = pasts->names[pasts->count];
    name[0] = mix(at->class[0], context);
    name[1] = mix(at->class[1], ~context);
    if (seen_has(cache->seen, name, cache->journal))
        return (struct decision){.step = at->step, .thread = NO_THREAD};
    pasts->count++;
    return decision_nth(at, 0);
}

void cache_learn(const struct cache *cache)
{
    if (!cache_is_on(cache))
        return;
    seen_begin(cache->seen, cache->journal);
    for (uint64_t i = 0; i < cache->pasts->count; i++)
        seen_add(cache->seen, cache->pasts->names[i], cache->journal);
}
