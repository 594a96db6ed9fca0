#include "runtime/progress/endless.h"

#include "base/mix.h"
#include "detector/recurrence.h"
#include "runtime/engine/flight.h"
#include "runtime/heap/heap.h"

enum { BLOCKS_LAST = 16 };

/* Blocks that were freed, or that the turn that was cut will free, do not tell one turn from
 * another: they count by where they were allocated. So do files of the program's own. */
static bool block_passes(const struct heap_block *block)
{
    return block->freed || block->way == HEAP_OWN ||
           (block->thread < HEAP_SETUP && block->number + BLOCKS_LAST > heap_blocks(block->thread));
}

static uint64_t object_name(uint32_t object)
{
    struct heap_block block;
    if (object == NO_OBJECT)
        return NO_OBJECT;
    const char *address = (const char *)the_board->objects[object].address;
    if (!heap_is_near(address) || !heap_find(address, &block) || !block_passes(&block))
        return object;
    return mix(block.site, (uint64_t)(address - (const char *)block.start));
}

static uint64_t step_name(const struct step *step)
{
    return mix(mix(object_name(step->op.object), step->op.site),
               (uint64_t)step->thread << 8 | step->op.kind);
}

/* No enabled thread was left out. A thread that has handled signals, and could have gone on then,
 * was not let go on by that. */
static bool is_fair(uint32_t from, uint32_t to)
{
    thread_set able = {0}, took = {0}, handled = {0}, held_up = {0};
    for (uint32_t i = from; i < to; i++) {
        const struct step *step = &rt.trace.steps[i], *before = step - 1;
        bool handles = step->op.kind == OP_SIGNAL_HANDLE;
        thread_set_add(handles ? &handled : &took, step->thread);
        THREADS_EACH(thread, &step->enabled)
        thread_set_add(&able, thread);
        if (before->op.kind == OP_SIGNAL_HANDLE && thread_set_has(&step->enabled, before->thread))
            thread_set_add(&held_up, before->thread);
    }
    THREADS_EACH(thread, &able)
    if (!thread_set_has(&took, thread) &&
        (!thread_set_has(&handled, thread) || thread_set_has(&held_up, thread)))
        return false;
    return true;
}

/* The place that all iterations have in common, in any order of threads: the lowest one. */
static uint32_t first_site(uint32_t from, uint32_t to)
{
    uint32_t first = to - 1;
    for (uint32_t i = to; i-- > from;)
        if (rt.trace.steps[i].op.site < rt.trace.steps[first].op.site)
            first = i;
    return first;
}

static void report(uint32_t count, uint32_t step, uint32_t cycle)
{
    const struct step *at = &rt.trace.steps[step];
    struct finding *finding = finding_add(FINDING_LIVELOCK, FINDING_UNENDED, at->op.site, 0);
    if (finding == NULL)
        return;
    the_board->flight.frames[finding - the_board->flight.findings][0].count = 0;
    finding->severity = SEVERITY_WARNING;
    finding->thread = NO_THREAD;
    finding->places[0].thread = at->thread;
    finding->places[0].step = step;
    finding->cycle = cycle;
    finding->steps = count;
}

void unended_note(uint32_t count)
{
    uint32_t cycle, half = count - count / 2, quarter = half / 2;
    if (count < RECURRENCE_STEPS_LEAST || rt.options->target != 0 ||
        !is_fair(count - quarter, count))
        return;
    uint64_t *names = execution_take_as_is(half * sizeof *names);
    uint64_t *room = execution_take_as_is(half / 2 * sizeof *room);
    for (uint32_t i = 0; i < half; i++)
        names[i] = step_name(&rt.trace.steps[count - half + i]);
    if (recurrence_find(names, half, room, &cycle))
        report(count, first_site(count - quarter, count), cycle);
}
