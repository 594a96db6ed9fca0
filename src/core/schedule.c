#include "core/schedule.h"

#include "base/assert.h"

uint32_t schedule_alternatives(const thread_set *enabled, const struct op *pending)
{
    uint32_t alternatives = 0;
    THREADS_EACH(thread, enabled)
    alternatives += pending[thread].choices;
    return alternatives;
}

struct decision decision_nth_of_many(const struct choice_point *at, uint32_t n)
{
    CHECK(n < at->alternatives);
    thread_id thread = thread_set_next_around(&at->enabled, at->last);
    while (n >= at->pending[thread].choices) {
        n -= at->pending[thread].choices;
        thread = thread_set_next_around(&at->enabled, thread + 1u);
    }
    return (struct decision){.step = at->step, .thread = thread, .choice = (uint16_t)n};
}
