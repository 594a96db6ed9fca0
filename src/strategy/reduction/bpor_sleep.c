/* Sleep sets of bpor: a thread that was run at a step sleeps until something depends on what it did
 * there. */
#include "strategy/reduction/bpor_state.h"
#include "strategy/waiting.h"

/* The operation that the thread of a step had pending if it was disabled after the step; NULL: it
 * was not. */
const struct op *bpor_stopped_at(const struct bpor *bpor, const struct step *steps, uint32_t count,
                                 uint32_t step, const thread_set *enabled, const struct op *pending)
{
    thread_id thread = steps[step].thread;
    if (thread_set_has(enabled, thread) || !bpor_keeps(bpor, BPOR_STOP))
        return NULL;
    for (uint32_t i = step + 1; i < count; i++)
        if (steps[i].thread == thread)
            return &steps[i].op;
    return &pending[thread];
}

bool bpor_wakes(const struct event *sleeper, const struct event *taken, const struct op *stopped)
{
    if (events_depend(sleeper, taken))
        return true;
    if (stopped == NULL)
        return false;
    if (stopped->kind == OP_JOIN)
        return stopped->second == sleeper->thread;
    struct footprint footprint = footprint_predicted(stopped, stopped->before);
    return footprints_conflict(&sleeper->footprint, &footprint);
}

static bool ends_thread(const struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    thread_id thread = trace->steps[step].thread;
    return bpor->order.by_thread[thread].last == step + 1 && !thread_set_has(&trace->alive, thread);
}

/* Whether a step is simple: it makes nothing possible for other threads, not even to join its
 * thread. */
static bool is_simple(const struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    return op_lets_nobody_on(trace->steps[step].op.kind) && !ends_thread(bpor, trace, step);
}

/* Notes what each thread touches from where it begins to run until it stops, the first time it runs
 * there. */
void bpor_note_runs(struct bpor *bpor, const struct trace *trace, uint32_t first)
{
    for (uint32_t step = first; step < trace->count; step++) {
        uint32_t begin = bpor->begin[step];
        if (begin < first)
            continue;
        struct sets *at = &bpor->at[begin];
        const struct footprint *footprint = &bpor->taken[step].footprint;
        if (step == begin)
            at->run = (struct footprint){0};
        at->run.all |= footprint->all || trace->steps[step].op.choices > 1;
        for (uint32_t i = 0; i < footprint->count && !at->run.all; i++)
            footprint_include(&at->run, footprint->touches[i]);
        at->simple = step == begin && is_simple(bpor, trace, step);
    }
}

/* Drops the threads that fell asleep at step `same` or later. Which steps from there on wake the
 * others is not known. */
static void keep_sleepers(struct bpor *bpor, uint32_t same)
{
    while (bpor->sleeper_count > 0 && bpor->sleepers[bpor->sleeper_count - 1].first >= same)
        bpor->sleeper_count--;
    for (uint32_t i = 0; i < bpor->sleeper_count; i++)
        if (bpor->sleepers[i].last >= same)
            bpor->sleepers[i].last = UINT32_MAX;
}

/* Computes which threads sleep before which steps of the branch, for the steps from `same` on. */
void bpor_find_sleepers(struct bpor *bpor, const struct trace *trace, uint32_t same)
{
    const struct wakeup_node *nodes = bpor->now.nodes.nodes;
    keep_sleepers(bpor, same);
    uint32_t awake = 0; /* sleepers[awake..) still sleep */
    for (uint32_t step = same; step < trace->count; step++) {
        for (uint32_t node = bpor->at[step].asleep; node != 0; node = nodes[node].next)
            if (bpor->sleeper_count < SLEEPERS_MAX) /* a thread that finds no room does not sleep */
                bpor->sleepers[bpor->sleeper_count++] =
                    (struct sleeper){nodes[node].event, step, UINT32_MAX};
        if (awake == bpor->sleeper_count)
            continue;
        const struct op *stopped = NULL;
        if (step + 1 < trace->count && !ends_thread(bpor, trace, step))
            stopped = bpor_stopped_at(bpor, trace->steps, trace->count, step,
                                      &trace->steps[step + 1].enabled, trace->pending);
        for (uint32_t i = awake; i < bpor->sleeper_count; i++) {
            struct sleeper *sleeper = &bpor->sleepers[i];
            if (sleeper->last >= step && bpor_wakes(&sleeper->event, &bpor->taken[step], stopped))
                sleeper->last = step;
        }
        while (awake < bpor->sleeper_count && bpor->sleepers[awake].last <= step)
            awake++;
    }
}

const struct sleeper *bpor_find_sleeper(const struct bpor *bpor, uint32_t step, thread_id thread)
{
    for (uint32_t i = 0; i < bpor->sleeper_count; i++) {
        const struct sleeper *sleeper = &bpor->sleepers[i];
        if (sleeper->event.thread == thread && sleeper->first <= step && step <= sleeper->last)
            return sleeper;
    }
    return NULL;
}

struct event bpor_sleeping_event(const struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    const struct sets *at = &bpor->at[step];
    const struct step *ran = &trace->steps[step];
    struct event event = {.thread = ran->thread};
    if (bpor->begin[step] == step && bpor_keeps(bpor, BPOR_RUN)) {
        event.footprint = at->run;
        event.choice = at->simple;
    } else {
        event.footprint = bpor->taken[step].footprint;
        event.footprint.all |= ran->op.choices > 1;
        event.choice = is_simple(bpor, trace, step);
    }
    return event;
}

/* Marks the thread that ran at a step as done, and lets it sleep there unless it touches too
 * much. */
void bpor_put_to_sleep(struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    struct sets *at = &bpor->at[step];
    struct event event = bpor_sleeping_event(bpor, trace, step);
    thread_set_add(&at->done, event.thread);
    if (!event.footprint.all)
        wakeup_push(&bpor->now.nodes, &at->asleep, &event);
}
