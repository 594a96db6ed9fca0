/* How many executions are left at a bound, from those that were run there: when a bound begins,
 * each that waits on its pile is the root of a part; a part is done when the pile gets lower than
 * ever.
 */
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

/* Of a pile of `before` so many stay; the others, from all over it, went to another worker. */
static inline void parts_give(struct estimate *estimate, uint64_t before, uint64_t stay)
{
    struct parts *parts = &estimate->parts;
    if (before > 0)
        parts->left = (uint32_t)((uint64_t)parts->left * stay / before);
}

/* One comes from another worker, to a pile of which nothing else is left. */
static inline void parts_adopt(struct estimate *estimate)
{
    estimate->kind = ESTIMATE_PARTS;
    parts_end(&estimate->parts);
    estimate->parts.left++;
}

#endif
