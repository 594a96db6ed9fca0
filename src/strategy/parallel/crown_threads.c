/* Threads and outcomes of data choices as alternatives of the crown (bpor). When one is begun,
 * those begun before it sleep, whether explored or not. How one sleeps shows when it has run once;
 * until then no other is begun beside it. */
#include "strategy/parallel/crown_node.h"
#include "strategy/reduction/bpor_state.h"

static thread_set threads_begun(const struct crown *crown, uint32_t node)
{
    thread_set threads = {{0}};
    for (uint32_t at = crown->nodes[node].first; at != 0; at = crown->nodes[at].next)
        thread_set_add(&threads, crown->nodes[at].event.thread);
    return threads;
}

static void add_threads_waiting(const struct crown *crown, uint32_t node, thread_set *threads)
{
    for (uint32_t at = crown->nodes[node].waiting; at != 0; at = crown->wakeup.nodes[at].next)
        thread_set_add(threads, crown->wakeup.nodes[at].event.thread);
}

/* The order in which a single search runs alternatives: further outcomes first, then threads by
 * number. Continuing the same thread, whatever its outcome, may cost less than an alternative begun
 * after it, so it must not sleep beside that one. */
static bool comes_before(const struct event *event, const struct event *other)
{
    if ((event->choice != 0) != (other->choice != 0))
        return event->choice != 0;
    return event->thread != other->thread ? event->thread < other->thread
                                          : event->choice < other->choice;
}

static void add_waiting(struct crown *crown, uint32_t node, thread_id thread, uint16_t outcome)
{
    struct event event = {.thread = thread, .choice = outcome};
    const struct wakeup_node *nodes = crown->wakeup.nodes;
    uint32_t before = 0;
    for (uint32_t at = crown->nodes[node].waiting;
         at != 0 && comes_before(&nodes[at].event, &event); at = nodes[at].next)
        before = at;
    if (before == 0)
        wakeup_push(&crown->wakeup, &crown->nodes[node].waiting, &event);
    else
        wakeup_push_behind(&crown->wakeup, before, &event);
}

void crown_add_outcomes(struct crown *crown, uint32_t node, uint64_t choices)
{
    const struct crown_node *at = &crown->nodes[node];
    for (uint64_t outcome = choices; outcome-- > at->outcome + 1u;)
        add_waiting(crown, at->parent, at->event.thread, (uint16_t)outcome);
}

bool crown_outcome_waits(const struct crown *crown, uint32_t node)
{
    for (uint32_t at = crown->nodes[node].waiting; at != 0; at = crown->wakeup.nodes[at].next)
        if (crown->wakeup.nodes[at].event.choice != 0)
            return true;
    return false;
}

void crown_push_others(struct crown *crown, uint32_t node, uint32_t child, uint32_t *list)
{
    thread_set threads = threads_begun(crown, node);
    if (child != 0) /* otherwise the worker that gets the task runs them */
        add_threads_waiting(crown, node, &threads);
    THREADS_EACH(thread, &threads)
    {
        struct event event = {.thread = thread, .footprint.all = true};
        wakeup_push(&crown->wakeup, list, &event);
    }
}

void crown_add_threads(struct crown *crown, uint32_t held, uint32_t step, uint32_t count)
{
    uint32_t node = held;
    while (crown->nodes[node].depth > step)
        node = crown->nodes[node].parent;
    thread_set threads = threads_begun(crown, node);
    add_threads_waiting(crown, node, &threads);
    for (uint32_t i = 0; i < count; i++)
        if (crown->events[i].choice & RETURN_ENOUGH &&
            thread_set_has(&threads, crown->events[i].thread))
            return;
    for (uint32_t i = 0; i < count; i++)
        if (crown->events[i].choice & RETURN_ADDED &&
            !thread_set_has(&threads, crown->events[i].thread))
            add_waiting(crown, node, crown->events[i].thread, 0);
}
