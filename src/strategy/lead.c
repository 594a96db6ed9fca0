#include "strategy/lead.h"

#include <string.h>

#include "strategy/wakeup.h"

uint32_t lead_collect(const struct order *order, const struct trace *trace,
                      const struct event *taken, const struct reversal *reversal,
                      struct event *events)
{
    uint32_t count = 0;
    for (uint32_t step = reversal->step + 1; step < trace->count; step++)
        if (order_keeps(order, reversal, step))
            events[count++] = taken[step];
    events[count++] = reversal->event;
    if (reversal->again)
        events[count++] = taken[reversal->step];
    return count;
}

/* Only what comes before the last of the events, in their order. */
static uint32_t keep_causes(struct event *events, uint32_t count)
{
    uint32_t first = count - 1;
    for (uint32_t i = count - 1; i-- > 0;) {
        bool needed = false;
        for (uint32_t k = first; k < count && !needed; k++)
            needed = events_depend(&events[i], &events[k]);
        if (needed)
            events[--first] = events[i];
    }
    memmove(events, &events[first], (count - first) * sizeof *events);
    return count - first;
}

const struct event *lead_of(struct event *events, uint32_t count, const thread_set *enabled)
{
    count = keep_causes(events, count);
    for (uint32_t i = count; i-- > 0;)
        if (thread_set_has(enabled, events[i].thread) &&
            event_initial(&events[i], events, count) == (int32_t)i)
            return &events[i];
    return NULL;
}
