#include "strategy/prospect.h"

#include <string.h>

#include "base/mix.h"
#include "strategy/alternative.h"
#include "strategy/conflict.h"

enum { OBJECTS = 1 << 16 }; /* those beyond it are not told apart */

void prospect_open(struct prospect *prospect, struct arena *arena, uint32_t steps_max)
{
    memset(prospect, 0, sizeof *prospect);
    prospect->reversal = arena_take(arena, steps_max * sizeof *prospect->reversal);
    prospect->safety = arena_take(arena, steps_max * sizeof *prospect->safety);
    prospect->before = arena_take(arena, steps_max * sizeof *prospect->before);
    prospect->previous = arena_take(arena, steps_max * sizeof *prospect->previous);
    prospect->last = arena_take(arena, OBJECTS * sizeof *prospect->last);
    prospect->looked = arena_take(arena, OBJECTS * sizeof *prospect->looked);
    prospect->naps = arena_take(arena, steps_max * sizeof *prospect->naps);
}

/* 1 + the last step that names the object of an operation. */
static uint32_t *last_of(struct prospect *prospect, const struct op *op)
{
    uint32_t object = op->object % OBJECTS;
    if (prospect->looked[object] != prospect->number) {
        prospect->looked[object] = prospect->number;
        prospect->last[object] = 0;
    }
    return &prospect->last[object];
}

static void chain_steps(struct prospect *prospect, uint32_t lasts[THREADS_MAX])
{
    const struct trace *trace = prospect->trace;
    for (uint32_t step = 0; step < trace->count; step++) {
        const struct step *at = &trace->steps[step];
        uint32_t *last = last_of(prospect, &at->op);
        prospect->before[step] = *last;
        *last = step + 1;
        prospect->previous[step] = lasts[at->thread];
        lasts[at->thread] = step + 1;
    }
}

static void add_point(struct prospect *prospect, uint32_t step, thread_id thread)
{
    const thread_set *enabled = &prospect->trace->steps[step].enabled;
    if (step < prospect->first)
        return;
    if (thread_set_has(enabled, thread)) {
        thread_set_add(&prospect->reversal[step], thread);
        return;
    }
    for (int i = 0; i < THREAD_WORDS; i++)
        prospect->safety[step].word[i] |= enabled->word[i];
}

/* While the operation was pending, each step that it conflicts with was the last one such for a time;
 * before that there is one at most. */
static void add_points(struct prospect *prospect, const struct op *op, thread_id thread,
                       uint32_t before, uint32_t previous)
{
    for (; before > prospect->first; before = prospect->before[before - 1]) {
        const struct step *at = &prospect->trace->steps[before - 1];
        if (at->thread == thread || !ops_conflict(&at->op, op))
            continue;
        add_point(prospect, before - 1, thread);
        if (before <= previous)
            return;
    }
}

/* Until a step comes that conflicts with what it was about to do, or it is done. */
static uint32_t nap_end(const struct trace *trace, uint32_t step, thread_id thread)
{
    uint32_t own = step;
    while (own < trace->count && trace->steps[own].thread != thread)
        own++;
    if (own == trace->count && !thread_set_has(&trace->alive, thread))
        return step;
    const struct op *op =
        own < trace->count ? &trace->steps[own].op : &trace->pending[thread];
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
        struct nap nap = {step + 1, nap_end(trace, step, first), first};
        if (nap.last >= prospect->first)
            prospect->naps[prospect->nap_count++] = nap;
    }
}

void prospect_look(struct prospect *prospect, const struct trace *trace, uint32_t first,
                   const struct decision *decisions, uint32_t count)
{
    uint32_t lasts[THREADS_MAX] = {0};
    prospect->trace = trace;
    prospect->first = first;
    prospect->number++;
    size_t own = (trace->count - first) * sizeof(thread_set);
    memset(&prospect->reversal[first], 0, own);
    memset(&prospect->safety[first], 0, own);
    chain_steps(prospect, lasts);
    for (uint32_t step = first; step < trace->count; step++)
        add_points(prospect, &trace->steps[step].op, trace->steps[step].thread,
                   prospect->before[step], prospect->previous[step]);
    THREADS_EACH(thread, &trace->alive)
        add_points(prospect, &trace->pending[thread], thread,
                   *last_of(prospect, &trace->pending[thread]), lasts[thread]);
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

struct outlook prospect_of(const struct prospect *prospect, struct decision decision,
                           uint32_t preemptions, uint64_t seed)
{
    uint32_t step = decision.step;
    bool other = decision.thread != prospect->trace->steps[step].thread;
    uint64_t past = mix(seed, prospect->trace->steps[step].fingerprint);
    return (struct outlook){
        .preemptions = preemptions,
        .worth = !other || thread_set_has(&prospect->reversal[step], decision.thread)
                     ? WORTH_REVERSAL
                 : thread_set_has(&prospect->safety[step], decision.thread) ? WORTH_SAFETY
                                                                             : WORTH_NOTHING,
        .asleep = other && is_asleep(prospect, step, decision.thread),
        .name = mix(past, (uint64_t)step << 32 | (uint64_t)decision.thread << 16 | decision.choice),
    };
}
