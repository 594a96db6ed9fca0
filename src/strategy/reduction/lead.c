#include "strategy/reduction/lead.h"

#include <string.h>

#include "strategy/reduction/wakeup.h"

/* Object numbers from here on, beyond all others, stand for threads. */
enum { LED_OBJECT = TOUCHED_MEMORY - THREADS_MAX };

static bool is_thread(struct touch touch)
{
    return touch.object - LED_OBJECT < THREADS_MAX;
}

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

/* Keeps only the events that the last one depends on, in their order. */
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

/* Adds threads as objects: each step reads its own thread, and a step that leads to a thread writes
 * that one. A woken thread may have been enabled before, but what it then does depends on the step
 * that woke it. */
static void touch_threads(const struct order *order, const struct trace *trace,
                          const struct reversal *reversal, struct event *events, uint32_t count)
{
    for (uint32_t i = 0, step = reversal->step + 1; step < trace->count; step++) {
        if (!order_keeps(order, reversal, step))
            continue;
        for (uint32_t k = trace_touches_begin(trace->steps, step);
             k < trace->steps[step].touches_end; k++)
            if (trace->touches[k].access == TOUCH_LEADS)
                footprint_add(&events[i].footprint,
                              (struct touch){LED_OBJECT + trace->touches[k].object, TOUCH_WRITES});
        i++;
    }
    for (uint32_t i = 0; i < count; i++)
        footprint_add(&events[i].footprint,
                      (struct touch){LED_OBJECT + events[i].thread, TOUCH_READS});
}

static void forget_threads(struct footprint *footprint)
{
    while (footprint->count > 0 && is_thread(footprint->touches[footprint->count - 1]))
        footprint->count--;
}

struct event *lead_of(const struct order *order, const struct trace *trace,
                      const struct reversal *reversal, struct event *events, uint32_t count,
                      const thread_set *enabled)
{
    touch_threads(order, trace, reversal, events, count);
    count = keep_causes(events, count);
    for (uint32_t i = count; i-- > 0;)
        if (thread_set_has(enabled, events[i].thread) &&
            event_initial(&events[i], events, count) == (int32_t)i) {
            forget_threads(&events[i].footprint);
            return &events[i];
        }
    return NULL;
}
