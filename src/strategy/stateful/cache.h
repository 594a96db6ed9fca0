/* --cache: an execution is not continued after a past that is equivalent to one seen before, as in
 * CHESS and ZING. All that could follow was run, or will be, from where that past was seen first.
 *
 * A past is named by its class and by whatever else the cost of the rest depends on. While an
 * execution runs, new pasts are only noted. learn puts them into the set, so that an execution
 * whose process died can be run again. */
#ifndef STRATEGY_CACHE_H
#define STRATEGY_CACHE_H

#include "strategy/seen.h"
#include "strategy/strategy.h"

struct cache {               /* Part of the strategy's state. */
    struct journal *journal; /* NULL: no cache */
    struct seen *seen;
    struct pasts { /* Pasts of the execution in flight. */
        uint64_t count;
        uint64_t names[][2];
    } * pasts;
};

static inline bool cache_is_on(const struct cache *cache)
{
    return cache->journal != NULL;
}

void cache_open(struct cache *cache, const struct strategy_options *options, struct arena *arena,
                struct journal *journal);
/* Returns the default decision, or a cut. */
struct decision cache_choose(const struct cache *cache, struct pilot *pilot,
                             const struct choice_point *at, uint64_t context);
void cache_learn(const struct cache *cache);

#endif
