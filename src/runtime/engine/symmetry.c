#include "runtime/engine/symmetry.h"

#include "runtime/engine/able.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/scheduler.h"

static struct twins *twins_of(thread_id thread)
{
    return &ex.twins[thread];
}

void symmetry_open(void)
{
    ex.twins = rt.options->symmetry ? execution_take(rt.threads_ready * sizeof *ex.twins) : NULL;
}

bool symmetry_holds(thread_id thread)
{
    return ex.twins != NULL && twins_of(thread)->held;
}

static thread_id eldest(thread_id thread)
{
    while (twins_of(thread)->elder != 0)
        thread = twins_of(thread)->elder;
    return thread;
}

static bool has_twins(thread_id thread)
{
    return twins_of(thread)->elder != 0 || twins_of(thread)->younger != 0;
}

/* From the next search on. */
static void tell_apart(thread_id thread)
{
    site_promote((uintptr_t)ex.threads[thread].sync.start | SITE_OF_THREADS);
    the_board->flight.told_apart = 1;
}

/* Two threads have run the same code: words of their local states are equal, or each points to its
 * own stack, or to what we know of it (thread_run has that in a register). */
static bool words_match(uint64_t a, uint64_t b, thread_id elder, thread_id younger)
{
    const struct stack *stack = &rt.stacks[elder];
    bool on_stack = a - (uintptr_t)stack->low < (uint64_t)(stack->top - stack->low);
    bool is_own = a == (uintptr_t)&ex.threads[elder] && b == (uintptr_t)&ex.threads[younger];
    return a == b || is_own ||
           (on_stack && b - a == (uint64_t)(rt.stacks[younger].start - stack->start));
}

static bool locals_match(thread_id elder, thread_id younger)
{
    const struct local *a = &twins_of(elder)->local, *b = &twins_of(younger)->local;
    const uint64_t *left = (const uint64_t *)a, *right = (const uint64_t *)b;
    const uint64_t *end = (const uint64_t *)rt.stacks[elder].start;
    for (size_t i = 0; i < sizeof *a / sizeof *left; i++)
        if (!words_match(left[i], right[i], elder, younger))
            return false;
    if (a->site == 0 || a->frame > (uintptr_t)end)
        return false;
    left = (const uint64_t *)a->frame;
    right = (const uint64_t *)b->frame;
    for (; left < end; left++, right++)
        if (!words_match(*left, *right, elder, younger))
            return false;
    return true;
}

static bool ops_match(thread_id elder, thread_id younger)
{
    const struct op *a = &ex.pending[elder], *b = &ex.pending[younger];
    return op_traits(a->kind)->symmetric && a->kind == b->kind && a->size == b->size &&
           a->choices == b->choices && a->object == b->object && a->second == b->second &&
           a->site == b->site && twins_of(elder)->value == twins_of(younger)->value &&
           ex.threads[elder].deadline == ex.threads[younger].deadline &&
           a->site == twins_of(elder)->local.site;
}

static bool can_be_told_apart(thread_id elder, thread_id younger)
{
    const struct thread *a = &ex.threads[elder], *b = &ex.threads[younger];
    bool same = a->sync.start == b->sync.start && a->sync.argument == b->sync.argument &&
                a->sync.detached == b->sync.detached && a->signals.blocked == b->signals.blocked &&
                a->cancel.disabled == b->cancel.disabled &&
                a->cancel.asynchronous == b->cancel.asynchronous &&
                a->atomic_depth == b->atomic_depth && a->ignore_depth == b->ignore_depth;
    bool begins = a->state == THREAD_LIVE && b->state == THREAD_LIVE && twins_of(elder)->begun == 0;
    bool unknown = !twins_of(elder)->named && !twins_of(younger)->named &&
                   a->heap.allocations == 0 && b->heap.allocations == 0;
    return !same || !begins || !unknown || !ops_match(elder, younger) ||
           site_is_promoted((uintptr_t)a->sync.start | SITE_OF_THREADS) ||
           !locals_match(elder, younger);
}

void symmetry_call(const struct local *local)
{
    if (ex.me->state == THREAD_STARTING)
        twins_of(ex.current)->local = *local;
}

void symmetry_stores(uint64_t value)
{
    if (symmetry_is_on())
        twins_of(ex.current)->value = value;
}

void symmetry_created_slow(thread_id child)
{
    thread_id before = twins_of(ex.current)->created;
    twins_of(ex.current)->created = child;
    bool seen =
        rt.race_check && the_board->options.instrumented; /* what its parent does meanwhile */
    if (before == 0 || !seen || can_be_told_apart(before, child))
        return;
    twins_of(before)->younger = child;
    twins_of(child)->elder = before;
    twins_of(child)->held = true;
    thread_holds(child);
    race_start_like(&ex.race, child, before);
}

static void begin(thread_id thread)
{
    struct twins *twins = twins_of(thread);
    twins->begun = rt.trace.count;
    if (twins->younger == 0 || !twins_of(twins->younger)->held)
        return;
    twins_of(twins->younger)->held = false;
    step_touched(twins->younger, TOUCH_LEADS);
    thread_pends(twins->younger);
}

void symmetry_step_slow(thread_id thread)
{
    struct twins *twins = twins_of(thread);
    const struct op *op = &rt.trace.steps[rt.trace.count - 1].op;
    if (op->kind != OP_CREATE)
        twins->created = 0;
    if (twins->joining != 0 &&
        (op->kind != OP_JOIN || eldest((thread_id)op->second) != twins->joining)) {
        tell_apart(twins->joining);
        twins->joining = 0;
    }
    if (twins->begun == 0)
        begin(thread);
}

static bool all_joined(thread_id first)
{
    for (thread_id at = first; at != 0; at = twins_of(at)->younger)
        if (!ex.threads[at].sync.joined)
            return false;
    return true;
}

void symmetry_joined(thread_id thread, bool result)
{
    thread_id first = eldest(thread);
    if (!has_twins(thread) || ex.threads[thread].parent != ex.current) {
        symmetry_named(thread);
        race_join(&ex.race, thread);
        return;
    }
    twins_of(first)->result_wanted |= result;
    if (!all_joined(first)) {
        twins_of(ex.current)->joining = first;
        return;
    }
    twins_of(ex.current)->joining = 0;
    for (thread_id at = first; at != 0; at = twins_of(at)->younger) {
        race_join(&ex.race, at);
        if (twins_of(first)->result_wanted &&
            ex.threads[at].sync.result != ex.threads[first].sync.result)
            tell_apart(first);
    }
}

void symmetry_named_slow(thread_id thread)
{
    if (thread == NO_THREAD)
        return;
    twins_of(thread)->named = true;
    if (has_twins(thread))
        tell_apart(thread);
}

bool symmetry_makes_race(thread_id earlier)
{
    bool may = twins_of(ex.current)->joining != 0;
    if (may)
        tell_apart(twins_of(ex.current)->joining);
    for (thread_id i = 0; i < ex.thread_count; i++)
        if (ex.threads[i].parent == earlier && has_twins(i)) {
            tell_apart(i);
            may = true;
        }
    return may;
}

/* A reduction takes such steps for none, and would not know after which the next thread could
 * begin. */
void symmetry_forgets(uint32_t step)
{
    struct twins *twins = twins_of(ex.current);
    if (rt.notes && twins->younger != 0 && twins->begun == step + 1)
        tell_apart(ex.current);
}

void symmetry_thread_ends(void)
{
    if (twins_of(ex.current)->joining != 0)
        tell_apart(twins_of(ex.current)->joining);
}

static bool one_has_ended(thread_id first)
{
    for (thread_id at = first; at != 0; at = twins_of(at)->younger)
        if (ex.threads[at].state == THREAD_ENDED && !ex.threads[at].sync.joined)
            return true;
    return false;
}

/* The join waits for a thread that will never end, or that another execution will show the end of.
 * Where another one has ended in its place, what follows the join is not known. */
static bool waits_in_vain(thread_id parent)
{
    const struct op *op = &ex.pending[parent];
    thread_id thread = (thread_id)op->second;
    if (!thread_set_has(&ex.live, parent) || op->kind != OP_JOIN || !has_twins(thread) ||
        ex.threads[thread].state == THREAD_ENDED)
        return false;
    return one_has_ended(eldest(thread)) && (thread == ex.current || !able_can_run(thread));
}

/* Of those that were not joined the results are not known. */
void symmetry_end(void)
{
    for (thread_id i = 0; i < ex.thread_count; i++) {
        thread_id joining = twins_of(i)->joining;
        if (joining != 0 && twins_of(joining)->result_wanted)
            tell_apart(joining);
        if (waits_in_vain(i))
            tell_apart((thread_id)ex.pending[i].second);
    }
}
