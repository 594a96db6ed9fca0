/* How many executions are left at a bound, from those that were run there: when a bound begins,
 * each that waits on its pile is the root of a part; a part is done when the pile gets lower than ever.
 */
#ifndef STRATEGY_PARTS_H
#define STRATEGY_PARTS_H

#include "core/estimate.h"

static inline struct estimate parts_open(uint64_t count)
{
    return (struct estimate){.kind = ESTIMATE_PARTS, .parts.left = count};
}

/* An execution is planned; `height` others stay on the pile. */
static inline void parts_next(struct estimate *estimate, uint64_t height)
{
    struct parts *parts = &estimate->parts;
    if (height < parts->left) {
        parts->done += parts->current > 0;
        parts->sum += parts->current;
        parts->squares += parts->current * parts->current;
        parts->left = height;
        parts->current = 0;
    }
    parts->current++;
}

#endif
