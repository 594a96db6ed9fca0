/* Turns a reversal into an alternative that waits, unless it is known already: a whole sequence in
 * a wake-up tree (optimal), its first step (source), or a thread that leads to it (classic). */
#include <string.h>

#include "strategy/reduction/dpor.h"
#include "strategy/reduction/lead.h"

static bool is_initial(const struct event *event, const struct event *events, uint32_t count)
{
    return event_initial(event, events, count) >= 0;
}

/* Whether some event that waits or was explored at the step can come first in the sequence. */
static bool has_source(const struct dpor *dpor, uint32_t step, uint32_t count)
{
    if (is_initial(&dpor->taken[step], dpor->events, count))
        return true;
    const struct wakeup_node *nodes = dpor->now.wakeup.nodes;
    for (uint32_t node = dpor->at[step].waiting; node != 0; node = nodes[node].next)
        if (is_initial(&nodes[node].event, dpor->events, count))
            return true;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeper_sleeps(&dpor->sleepers[i], step) &&
            is_initial(&dpor->sleepers[i].event, dpor->events, count))
            return true;
    return false;
}

static bool is_listed(const struct dpor *dpor, const struct trace *trace, uint32_t step,
                      thread_id thread, uint16_t choice)
{
    const struct wakeup_node *nodes = dpor->now.wakeup.nodes;
    if (trace->steps[step].thread == thread && trace->steps[step].choice == choice)
        return true;
    for (uint32_t node = dpor->at[step].waiting; node != 0; node = nodes[node].next)
        if (nodes[node].event.thread == thread && nodes[node].event.choice == choice)
            return true;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeper_sleeps(&dpor->sleepers[i], step) && dpor->sleepers[i].event.thread == thread &&
            dpor->sleepers[i].event.choice == choice)
            return true;
    return false;
}

/* Adds an event so that all outcomes of the current thread's operation run before another thread
 * takes its place: when one outcome sleeps, all do. */
static void add_first_step(struct dpor *dpor, const struct trace *trace, uint32_t step,
                           const struct event *event)
{
    struct wakeup *wakeup = &dpor->now.wakeup;
    thread_id in_hand = trace->steps[step].thread;
    uint32_t last = 0;
    if (event->thread != in_hand)
        for (uint32_t node = dpor->at[step].waiting;
             node != 0 && wakeup->nodes[node].event.thread == in_hand;
             node = wakeup->nodes[node].next)
            last = node;
    if (last != 0)
        wakeup_push_behind(wakeup, last, event);
    else
        wakeup_push(wakeup, &dpor->at[step].waiting, event);
}

/* Adds another outcome of the step. If the outcome waits already, it moves to the front. */
static void add_outcome(struct dpor *dpor, const struct trace *trace, uint32_t step,
                        const struct event *event)
{
    struct wakeup *wakeup = &dpor->now.wakeup;
    uint32_t *list = &dpor->at[step].waiting, before = 0;
    for (uint32_t node = *list; node != 0; before = node, node = wakeup->nodes[node].next)
        if (event_is(&wakeup->nodes[node].event, event)) {
            if (before != 0)
                wakeup_put_first(wakeup, list, before);
            return;
        }
    if (!is_listed(dpor, trace, step, event->thread, event->choice))
        add_first_step(dpor, trace, step, event);
}

/* Whether a reversal is another outcome of its own step. */
static bool is_outcome(const struct trace *trace, const struct reversal *reversal)
{
    return reversal->event.thread == trace->steps[reversal->step].thread;
}

/* Adds the thread of the reversal if it is enabled there, or one that leads to it, or all enabled
 * threads. */
static void add_persistent(struct dpor *dpor, const struct trace *trace,
                           const struct reversal *reversal, uint32_t count)
{
    uint32_t step = reversal->step;
    const thread_set *enabled = &trace->steps[step].enabled;
    const struct event *lead = lead_of(&dpor->order, trace, reversal, dpor->events, count, enabled);
    if (lead != NULL) {
        if (!is_listed(dpor, trace, step, lead->thread, lead->choice))
            add_first_step(dpor, trace, step, lead);
        return;
    }
    struct event any = {.footprint = {.all = true}};
    THREADS_EACH(thread, enabled)
    {
        any.thread = thread;
        if (!is_listed(dpor, trace, step, thread, 0))
            add_first_step(dpor, trace, step, &any);
    }
}

void dpor_add_reversal(struct dpor *dpor, const struct trace *trace,
                       const struct reversal *reversal)
{
    uint32_t step = reversal->step;
    if (dpor->reduction == REDUCTION_OPTIMAL && dpor_reversal_is_explored(dpor, trace, reversal))
        return;
    if (dpor->reduction != REDUCTION_OPTIMAL && is_outcome(trace, reversal)) {
        add_outcome(dpor, trace, step, &reversal->event);
        return;
    }
    uint32_t count = lead_collect(&dpor->order, trace, dpor->taken, reversal, dpor->events);
    switch (dpor->reduction) {
    case REDUCTION_OPTIMAL:
        if (step < dpor->now.floor)
            dpor_return(dpor, step, count);
        else
            wakeup_insert(&dpor->now.wakeup, &dpor->at[step].waiting, dpor->events, count);
        return;
    case REDUCTION_SOURCE:
        if (!has_source(dpor, step, count))
            add_first_step(dpor, trace, step, &dpor->events[0]);
        return;
    case REDUCTION_CLASSIC:
        add_persistent(dpor, trace, reversal, count);
        return;
    }
    UNREACHABLE();
}

/* Adds each sequence of some trees that was not explored to the trees that wait at a step. */
void dpor_add_again(struct dpor *dpor, uint32_t step, uint32_t list)
{
    const struct wakeup_node *nodes = dpor->now.wakeup.nodes;
    uint32_t depth = 0;
    for (uint32_t node = list; node != 0;) {
        dpor->path[depth] = node;
        dpor->again[depth++] = nodes[node].event;
        if (nodes[node].child != 0) {
            node = nodes[node].child;
            continue;
        }
        memcpy(dpor->events, dpor->again, depth * sizeof *dpor->events);
        if (!dpor_sequence_is_explored(dpor, step, depth))
            wakeup_insert(&dpor->now.wakeup, &dpor->at[step].waiting, dpor->events, depth);
        node = 0;
        while (depth > 0 && node == 0)
            node = nodes[dpor->path[--depth]].next;
    }
    wakeup_free_trees(&dpor->now.wakeup, list);
}
