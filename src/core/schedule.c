#include "core/schedule.h"

#include "base/assert.h"

uint32_t schedule_alternatives(const thread_set *enabled, const struct op *pending)
{
    uint32_t alternatives = 0;
    THREADS_EACH(thread, enabled)
        alternatives += pending[thread].choices;
    return alternatives;
}

struct decision decision_nth(const struct choice_point *at, uint32_t n)
{
    if (n == 0 && thread_set_has(&at->enabled, at->last)) /* most of the time */
        return (struct decision){.step = at->step, .thread = at->last};
    CHECK(n < at->alternatives);
    uint64_t few = at->enabled.word[0];
    if (at->last < 64 && (uint32_t)__builtin_popcountl(few) == at->alternatives) { /* as a rule */
        uint64_t around = few >> at->last | few << (-at->last & 63); /* `last` is bit 0 */
        while (n-- > 0)
            around &= around - 1;
        thread_id thread = (thread_id)((at->last + (uint32_t)__builtin_ctzl(around)) & 63);
        return (struct decision){.step = at->step, .thread = thread};
    }
    thread_id thread = thread_set_next_around(&at->enabled, at->last);
    while (n >= at->pending[thread].choices) {
        n -= at->pending[thread].choices;
        thread = thread_set_next_around(&at->enabled, thread + 1u);
    }
    return (struct decision){.step = at->step, .thread = thread, .choice = (uint16_t)n};
}
