/* Estimates how many executions are left at a bound from those that were run there. Each execution
 * that is pending when a bound begins is the root of a part. A part is done when the pile becomes
 * lower than ever. */
#ifndef STRATEGY_PARTS_H
#define STRATEGY_PARTS_H

#include "core/estimate.h"

static inline struct estimate parts_open(uint64_t count)
{
    return (struct estimate){.kind = ESTIMATE_PARTS, .parts.left = (uint32_t)count};
}

static inline void parts_end(struct parts *parts)
{
    parts->done += parts->current > 0;
    parts->sum += parts->current;
    parts->squares += parts->current * parts->current;
    parts->current = 0;
    parts->begun = 0;
}

/* An execution is planned; `height` others stay on the pile. */
static inline void parts_next(struct estimate *estimate, uint64_t height)
{
    struct parts *parts = &estimate->parts;
    if (height < parts->left) {
        parts_end(parts);
        parts->left = (uint32_t)height;
    }
    parts->current++;
    parts->begun = 1;
}

/* Part of the pile went to another worker: `stay` of `before` executions remain. Those that went
 * came from all over the pile. */
static inline void parts_give(struct estimate *estimate, uint64_t before, uint64_t stay)
{
    struct parts *parts = &estimate->parts;
    if (before > 0)
        parts->left = (uint32_t)((uint64_t)parts->left * stay / before);
}

/* An execution came from another worker, to a pile that is otherwise empty. */
static inline void parts_adopt(struct estimate *estimate)
{
    estimate->kind = ESTIMATE_PARTS;
    parts_end(&estimate->parts);
    estimate->parts.left++;
}

#endif
