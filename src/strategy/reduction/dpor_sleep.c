/* Sleep sets: an explored alternative sleeps until a step that depends on it. A sequence was
 * explored if a sleeping event can come first in it, or beside it. */
#include "strategy/reduction/dpor.h"

/* Drops the events that fell asleep at step `same` or later. Which steps from there on wake the
 * others is not known. */
static void keep_sleepers(struct dpor *dpor, uint32_t same)
{
    while (dpor->sleeper_count > 0 && dpor->sleepers[dpor->sleeper_count - 1].first >= same)
        dpor->sleeper_count--;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (dpor->sleepers[i].last >= same)
            dpor->sleepers[i].last = UINT32_MAX;
}

/* Computes which events sleep before which steps of the branch, for the steps from `same` on. */
void dpor_find_sleepers(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    const struct wakeup *wakeup = &dpor->now.wakeup;
    uint32_t awake = 0; /* sleepers[awake..) still sleep */
    keep_sleepers(dpor, same);
    for (uint32_t step = same; step < trace->count; step++) {
        for (uint32_t node = dpor->at[step].done; node != 0; node = wakeup->nodes[node].next) {
            if (dpor->sleeper_count == SLEEPERS_MAX) {
                dpor->now.overflow = true;
                break;
            }
            dpor->sleepers[dpor->sleeper_count++] =
                (struct sleeper){wakeup->nodes[node].event, step, UINT32_MAX};
        }
        if (awake == dpor->sleeper_count || dpor_is_idle(dpor, &trace->steps[step]))
            continue;
        const struct event *taken = &dpor->taken[step];
        for (uint32_t i = awake; i < dpor->sleeper_count; i++) {
            struct sleeper *sleeper = &dpor->sleepers[i];
            if (sleeper->last < step || !events_depend(&sleeper->event, taken))
                continue;
            sleeper->last = step;
        }
        while (awake < dpor->sleeper_count && dpor->sleepers[awake].last <= step)
            awake++;
    }
}

/* Whether a sequence counts as explored when an event sleeps beside it. Normally that event comes
 * in sooner or later. Where executions fail it does not count: the event may be what keeps them
 * from failing. Nor does it where threads are struck: the replaced operation then waits with more
 * than it touches, beside steps that it has nothing to do with. Of two orders the one that was
 * found last need not have been run. */
static bool beside_is_explored(const struct dpor *dpor)
{
    return !dpor->now.fails;
}

/* Whether the sleeper can come first in the sequence of a reversal, or beside it. This is
 * event_initial() without building the sequence: no step before the one that woke the sleeper
 * depends on it. */
static bool is_first(const struct dpor *dpor, const struct trace *trace,
                     const struct reversal *reversal, const struct sleeper *sleeper)
{
    const struct event *event = &sleeper->event;
    uint32_t step = sleeper->last > reversal->step ? sleeper->last : reversal->step + 1;
    for (; step < trace->count; step++)
        if (events_depend(event, &dpor->taken[step]) && order_keeps(&dpor->order, reversal, step))
            return event_is(event, &dpor->taken[step]);
    if (events_depend(event, &reversal->event))
        return event_is(event, &reversal->event);
    if (reversal->again && events_depend(event, &dpor->taken[reversal->step]))
        return event_is(event, &dpor->taken[reversal->step]);
    return beside_is_explored(dpor);
}

/* Whether the sequence of a reversal was explored as part of another sequence. */
bool dpor_reversal_is_explored(const struct dpor *dpor, const struct trace *trace,
                               const struct reversal *reversal)
{
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeper_sleeps(&dpor->sleepers[i], reversal->step) &&
            is_first(dpor, trace, reversal, &dpor->sleepers[i]))
            return true;
    return false;
}

/* Whether the first `count` of `events` were explored as part of another sequence. */
bool dpor_sequence_is_explored(const struct dpor *dpor, uint32_t step, uint32_t count)
{
    int32_t least = beside_is_explored(dpor) ? EVENT_ABSENT : 0;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeper_sleeps(&dpor->sleepers[i], step) &&
            event_initial(&dpor->sleepers[i].event, dpor->events, count) >= least)
            return true;
    return false;
}
