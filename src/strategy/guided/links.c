#include "strategy/guided/links.h"

#include <stdatomic.h>
#include <string.h>

enum { OBJECTS = 1 << 16 }; /* objects whose numbers agree modulo this are not distinguished */

void links_open(struct links *links, struct arena *arena, uint32_t steps_max)
{
    memset(links, 0, sizeof *links);
    links->decisions = arena_take(arena, (steps_max + 1) * sizeof *links->decisions);
    links->all = arena_take(arena, (steps_max + 1) * sizeof *links->all);
    links->last = arena_take(arena, OBJECTS * sizeof *links->last);
    links->lasts = arena_take(arena, THREADS_MAX * sizeof *links->lasts);
}

static void clear(struct links *links)
{
    memset(links->last, 0, OBJECTS * sizeof *links->last);
    memset(links->lasts, 0, THREADS_MAX * sizeof *links->lasts);
    links->count = links->decision_count = 0;
}

/* The first step that may differ: executions with the same decisions take the same steps. */
static uint32_t first_change(const struct links *links, const struct decision *decisions,
                             uint32_t count, uint32_t steps)
{
    uint32_t i = 0, old_count = links->decision_count,
             step = steps < links->count ? steps : links->count;
    const struct decision *old = links->decisions;
    while (i < count && i < old_count && memcmp(&decisions[i], &old[i], sizeof *old) == 0)
        i++;
    if (i < count && decisions[i].step < step)
        step = decisions[i].step;
    if (i < old_count && old[i].step < step)
        step = old[i].step;
    return step;
}

static void unlink_behind(struct links *links, uint32_t step)
{
    while (links->count > step) {
        const struct link *link = &links->all[links->count--];
        links->last[link->object] = link->before;
        links->lasts[link->thread] = link->previous;
    }
}

/* Sets a jump as in Myers 1983: as far as the two before together, if those were equally far. */
static void link_thread(struct links *links, struct link *link)
{
    const struct link *all = links->all;
    uint32_t previous = links->lasts[link->thread], jump = all[previous].jump;
    bool equal =
        all[previous].depth - all[jump].depth == all[jump].depth - all[all[jump].jump].depth;
    link->previous = previous;
    link->depth = all[previous].depth + 1;
    link->jump = previous != 0 && equal ? all[jump].jump : previous;
}

static void link_step(struct links *links, const struct trace *trace, uint32_t step)
{
    struct link *link = &links->all[step + 1];
    link->thread = trace->steps[step].thread;
    link->object = trace->steps[step].op.object % OBJECTS;
    link->before = links->last[link->object];
    link->preemptions =
        step > 0 ? links->all[step].preemptions + trace_step_preempts(trace, step - 1) : 0;
    link_thread(links, link);
    links->last[link->object] = links->lasts[link->thread] = links->count = step + 1;
}

uint32_t links_follow(struct links *links, const struct trace *trace,
                      const struct decision *decisions, uint32_t count)
{
    if (!links->settled)
        clear(links);
    links->settled = false;
    atomic_signal_fence(memory_order_seq_cst);
    uint32_t first = first_change(links, decisions, count, trace->count);
    unlink_behind(links, first);
    for (uint32_t step = first; step < trace->count; step++)
        link_step(links, trace, step);
    memcpy(links->decisions, decisions, count * sizeof *decisions);
    links->decision_count = count;
    return first;
}

void links_settle(struct links *links)
{
    atomic_signal_fence(memory_order_seq_cst);
    links->settled = true;
}

uint32_t links_last(const struct links *links, const struct op *op)
{
    return links->last[op->object % OBJECTS];
}

uint32_t links_next(const struct links *links, uint32_t step, thread_id thread)
{
    const struct link *all = links->all;
    uint32_t found = 0;
    for (uint32_t at = links->lasts[thread]; at > step;) {
        found = at;
        at = all[at].jump > step ? all[at].jump : all[at].previous;
    }
    return found;
}
