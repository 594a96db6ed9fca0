#include "strategy/strategy.h"

#include <string.h>

#define STRATEGY(name) extern const struct strategy strategy_##name;
#include "strategy/strategies.def"
#undef STRATEGY

const struct strategy *const strategies[] = {
#define STRATEGY(name) &strategy_##name,
#include "strategy/strategies.def"
#undef STRATEGY
    NULL,
};

const struct strategy *strategy_find(const char *name)
{
    for (int i = 0; strategies[i] != NULL; i++)
        if (strcmp(strategies[i]->name, name) == 0)
            return strategies[i];
    return NULL;
}

const struct strategy *strategy_of_worker(const char *name)
{
    extern const struct strategy strategy_shrink, strategy_wander, strategy_follow,
        strategy_critical;
    const struct strategy *const inner[] = {&strategy_shrink, &strategy_wander, &strategy_follow,
                                            &strategy_critical};
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
        if (strcmp(name, inner[i]->name) == 0)
            return inner[i];
    return strategy_find(name);
}

struct decision choose_default(struct pilot *pilot, const struct choice_point *at)
{
    return decision_nth(at, 0);
}

bool strategy_reduces(const struct strategy *strategy, const void *state)
{
    return strategy->reduces_now != NULL ? strategy->reduces_now(state) : strategy->traits.reduces;
}

struct subtree strategy_whole(const struct strategy *strategy, uint64_t executions)
{
    struct subtree subtree = {.count = executions};
    size_t length = strlen(strategy->name);
    CHECK(length < SUBTREE_NAME_MAX);
    memcpy(subtree.strategy, strategy->name, length);
    return subtree;
}
