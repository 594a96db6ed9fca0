#include "strategy/guided/prospect.h"

#include <string.h>

#include "base/mix.h"
#include "core/naming.h"
#include "strategy/alternative.h"
#include "strategy/conflict.h"
#include "strategy/waiting.h"

void prospect_open(struct prospect *prospect, struct arena *arena, uint32_t steps_max,
                   const struct hierarchy *hierarchy, const struct object *objects,
                   const struct links *links)
{
    memset(prospect, 0, sizeof *prospect);
    prospect->hierarchy = hierarchy;
    prospect->objects = objects;
    prospect->links = links;
    prospect->reversal = arena_take(arena, steps_max * sizeof *prospect->reversal);
    prospect->safety = arena_take(arena, steps_max * sizeof *prospect->safety);
    prospect->naps = arena_take(arena, steps_max * sizeof *prospect->naps);
}

static void add_point(struct prospect *prospect, uint32_t step, thread_id thread, bool waits)
{
    const thread_set *enabled = &prospect->trace->steps[step].enabled;
    if (step < prospect->first)
        return;
    if (thread_set_has(enabled, thread)) {
        thread_set_add(waits ? &prospect->safety[step] : &prospect->reversal[step], thread);
        return;
    }
    for (int i = 0; i < THREAD_WORDS; i++)
        prospect->safety[step].word[i] |= enabled->word[i];
}

/* Adds the points of an operation: each conflicting step while it was pending, and at most one
 * before that. Before a release the operation would be blocked; the point that matters is before
 * the step that took the lock. */
static void add_points(struct prospect *prospect, const struct op *op, thread_id thread,
                       uint32_t before, uint32_t previous)
{
    for (; before > prospect->first; before = prospect->links->all[before].before) {
        const struct step *at = &prospect->trace->steps[before - 1];
        if (at->thread == thread || !ops_conflict(&at->op, op))
            continue;
        bool waits = op_releases(at->op.kind) && op_acquires(op->kind);
        add_point(prospect, before - 1, thread, waits);
        if (!waits && before <= previous)
            return;
    }
}

/* The end of a nap: the first step that conflicts with the thread's operation, or the operation
 * itself. */
static uint32_t nap_end(const struct prospect *prospect, uint32_t step, thread_id thread)
{
    const struct trace *trace = prospect->trace;
    uint32_t next = links_next(prospect->links, step, thread),
             own = next != 0 ? next - 1 : trace->count;
    if (own == trace->count && !thread_set_has(&trace->alive, thread))
        return step;
    const struct op *op = own < trace->count ? &trace->steps[own].op : &trace->pending[thread];
    while (step < own && !ops_conflict(&trace->steps[step].op, op))
        step++;
    return step;
}

static void add_naps(struct prospect *prospect, const struct decision *decisions, uint32_t count)
{
    const struct trace *trace = prospect->trace;
    prospect->nap_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t step = decisions[i].step;
        thread_id first = default_thread(trace, step);
        if (first == decisions[i].thread)
            continue;
        struct nap nap = {step + 1, nap_end(prospect, step, first), first};
        if (nap.last >= prospect->first)
            prospect->naps[prospect->nap_count++] = nap;
    }
}

void prospect_look(struct prospect *prospect, const struct trace *trace, uint32_t first,
                   const struct decision *decisions, uint32_t count)
{
    prospect->trace = trace;
    prospect->first = first;
    size_t own = (trace->count - first) * sizeof(thread_set);
    memset(&prospect->reversal[first], 0, own);
    memset(&prospect->safety[first], 0, own);
    for (uint32_t step = first; step < trace->count; step++)
        add_points(prospect, &trace->steps[step].op, trace->steps[step].thread,
                   prospect->links->all[step + 1].before, prospect->links->all[step + 1].previous);
    THREADS_EACH(thread, &trace->alive)
    add_points(prospect, &trace->pending[thread], thread,
               links_last(prospect->links, &trace->pending[thread]),
               prospect->links->lasts[thread]);
    add_naps(prospect, decisions, count);
}

static bool is_asleep(const struct prospect *prospect, uint32_t step, thread_id thread)
{
    for (uint32_t i = 0; i < prospect->nap_count; i++) {
        const struct nap *nap = &prospect->naps[i];
        if (nap->thread == thread && nap->first <= step && step <= nap->last)
            return true;
    }
    return false;
}

/* The next operation of a thread from a step on; NULL: unknown. */
static const struct op *next_op(const struct prospect *prospect, uint32_t step, thread_id thread)
{
    const struct trace *trace = prospect->trace;
    uint32_t found = links_next(prospect->links, step, thread);
    if (found != 0)
        return &trace->steps[found - 1].op;
    return thread_set_has(&trace->alive, thread) ? &trace->pending[thread] : NULL;
}

static bool is_in(const struct interest *named, uint64_t address)
{
    for (uint32_t i = 0; i < named->range_count; i++)
        if (named->ranges[i].start <= address && address < named->ranges[i].end)
            return true;
    return false;
}

static void count_named(const struct prospect *prospect, const struct op *op,
                        uint8_t counts[NAMED_KINDS])
{
    const struct interest *named = prospect->hierarchy->named;
    if (op == NULL)
        return;
    /* The call lies before the return address. */
    counts[NAMED_FUNCTIONS] += is_in(&named[NAMED_FUNCTIONS], op->site - 1);
    if (prospect->objects != NULL && op->object != NO_OBJECT)
        counts[NAMED_VARIABLES] +=
            is_in(&named[NAMED_VARIABLES], prospect->objects[op->object].address);
}

static void find_named(const struct prospect *prospect, struct decision decision,
                       uint8_t counts[NAMED_KINDS])
{
    const struct interest *named = prospect->hierarchy->named;
    uint32_t step = decision.step;
    if (named[NAMED_FUNCTIONS].range_count + named[NAMED_VARIABLES].range_count == 0)
        return;
    count_named(prospect, next_op(prospect, step, decision.thread), counts);
    const struct trace *trace = prospect->trace;
    thread_id last = step > 0 ? trace->steps[step - 1].thread : NO_THREAD;
    if (last != decision.thread && thread_set_has(&trace->steps[step].enabled, last))
        count_named(prospect, next_op(prospect, step, last), counts);
}

enum worth prospect_worth(const struct prospect *prospect, struct decision decision)
{
    uint32_t step = decision.step;
    bool other = decision.thread != prospect->trace->steps[step].thread;
    if (!other || thread_set_has(&prospect->reversal[step], decision.thread))
        return WORTH_REVERSAL;
    return thread_set_has(&prospect->safety[step], decision.thread) ? WORTH_SAFETY : WORTH_NOTHING;
}

struct outlook prospect_of(const struct prospect *prospect, struct decision decision,
                           uint32_t preemptions, uint64_t seed)
{
    uint32_t step = decision.step;
    bool other = decision.thread != prospect->trace->steps[step].thread;
    struct outlook outlook = {
        .preemptions = preemptions,
        .asleep = other && is_asleep(prospect, step, decision.thread),
        .name = mix(seed, prospect->trace->fingerprint),
    };
    find_named(prospect, decision, outlook.named);
    return outlook;
}
