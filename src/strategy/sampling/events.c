#include "strategy/sampling/events.h"

#include <string.h>

#include "strategy/conflict.h"

void events_look(struct events *events, struct pilot *pilot, const struct choice_point *at)
{
    if (pilot->position == 0)
        memset(events, 0, sizeof *events);
    for (uint32_t step = pilot_first_new(pilot); step < at->step; step++)
        events->priority[at->steps[step].thread] = 0;
    pilot_looked(pilot, at);
    THREADS_EACH(thread, &at->enabled)
    if (events->priority[thread] == 0)
        events->priority[thread] = rng_next(&pilot->rng) | 1;
}

thread_id events_take(struct events *events, const struct choice_point *at, const thread_set *among)
{
    thread_id best = NO_THREAD;
    THREADS_EACH(thread, among)
    if (best == NO_THREAD || events->priority[thread] > events->priority[best])
        best = thread;
    CHECK(best != NO_THREAD);
    THREADS_EACH(thread, &at->enabled)
    if (thread == best || ops_conflict(&at->pending[best], &at->pending[thread]))
        events->priority[thread] = 0;
    return best;
}
