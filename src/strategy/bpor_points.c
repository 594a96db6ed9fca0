/* What came later could have come before a step: which thread is to be run there for it, and where
 * else: at the conservative point, where the thread of that step began to run. */
#include "strategy/bpor_state.h"
#include "strategy/waiting.h"

/* Whether the steps that it depends on, if it came before some of them, can be told from the trace:
 * it did not wait, or for an object of which all uses depend on each other. */
static bool is_exact(const struct late *late)
{
    const struct op_traits *traits = op_traits(late->op->kind);
    bool only_users = traits->state == OP_STATE_MUTEX || traits->state == OP_STATE_SPIN ||
                      traits->state == OP_STATE_SEMAPHORE;
    return !op_may_wait(late->op->kind) || (only_users && traits->fails == OP_FAILS_NEVER);
}

bool bpor_is_known(const struct bpor *bpor, const struct late *late, uint32_t step)
{
    return (late->last != 0 && order_is_before(&bpor->order, step, late->last - 1)) ||
           (late->woken != 0 && order_is_before(&bpor->order, step, late->woken - 1));
}

static bool has_thread(const struct bpor *bpor, const struct trace *trace, uint32_t step,
                       thread_id thread)
{
    return trace->steps[step].thread == thread || thread_set_has(&bpor->at[step].waiting, thread) ||
           thread_set_has(&bpor->at[step].done, thread);
}

/* Whoever is run there, the cost is the same: the default thread was run first. */
static bool is_affordable(struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    uint32_t cost = bpor->cost[step];
    if (step > 0) {
        const struct step *before = &trace->steps[step - 1];
        cost += thread_set_has(&trace->steps[step].enabled, before->thread) &&
                !op_gives_way(before->op.kind);
    }
    if (cost <= (uint32_t)bpor->now.bound)
        return true;
    bpor->now.beyond = true;
    return false;
}

/* Runs threads there, unless one that is enough is run; others may have seen to that where the step
 * is not ours. */
static void add_threads(struct bpor *bpor, const struct trace *trace, uint32_t step,
                        const thread_set *enough, thread_set added)
{
    THREADS_EACH(thread, &added)
    if (has_thread(bpor, trace, step, thread))
        thread_set_remove(&added, thread);
    if (thread_set_is_empty(&added) || !is_affordable(bpor, trace, step))
        return;
    if (step < bpor->now.floor) {
        bpor_return(bpor, step, enough, &added);
        return;
    }
    THREADS_EACH(thread, &added)
    thread_set_add(&bpor->at[step].waiting, thread);
}

/* Whether more than its own past and its object decides when it can go on. */
static bool is_intricate(const struct bpor *bpor, const struct late *late)
{
    const struct footprint *footprint = &bpor->taken[late->step].footprint;
    return footprint->all || footprint->count > 1 || late->op->kind == OP_JOIN;
}

/* Who could run at a step and leads to what came later, though not by the thread that ran there. */
struct leading {
    thread_set threads;
    thread_id first; /* whose step comes first of all that it depends on, or its own */
};

static struct leading find_leading(const struct bpor *bpor, const struct trace *trace,
                                   uint32_t step, const struct late *late, bool whole)
{
    struct leading leading = {.first = NO_THREAD};
    const struct step *at = &trace->steps[step];
    bool direct = !late->pends && !op_may_wait(late->op->kind);
    for (uint32_t i = step + 1; i < late->step; i++) {
        thread_id thread = trace->steps[i].thread;
        if (thread == at->thread)
            continue;
        bool known = bpor_is_known(bpor, late, i);
        bool before = (direct || whole) && order_is_before(&bpor->order, i, late->step);
        if ((known || before) && leading.first == NO_THREAD)
            leading.first = thread;
        if ((known || (whole && before)) && thread_set_has(&at->enabled, thread))
            thread_set_add(&leading.threads, thread);
    }
    if (leading.first == NO_THREAD)
        leading.first = late->thread;
    if (thread_set_has(&at->enabled, late->thread))
        thread_set_add(&leading.threads, late->thread);
    return leading;
}

/* Who could run at a step and leads to what waits for readers, without what comes after the step:
 * the readers that are inside there leave, and others do not depend on that. */
static struct leading find_leavers(const struct bpor *bpor, const struct trace *trace,
                                   uint32_t step, const struct late *late)
{
    struct leading leading = {.first = NO_THREAD};
    const struct step *at = &trace->steps[step];
    for (uint32_t i = step + 1; i < late->step; i++) {
        const struct order_step *taken = &bpor->order.by_step[i];
        bool before = late->clock[taken->thread] >= taken->index;
        if (!before || order_is_before(&bpor->order, step, i))
            continue;
        if (leading.first == NO_THREAD)
            leading.first = taken->thread;
        if (thread_set_has(&at->enabled, taken->thread))
            thread_set_add(&leading.threads, taken->thread);
    }
    return leading;
}

static void add_awake(struct bpor *bpor, const struct trace *trace, uint32_t step,
                      const thread_set *enough, thread_set threads)
{
    THREADS_EACH(thread, &threads)
    if (bpor_find_sleeper(bpor, step, thread) != NULL)
        thread_set_remove(&threads, thread);
    add_threads(bpor, trace, step, enough, threads);
}

/* One is enough, if it does not sleep. If all sleep, what would have to be run was run, provided
 * that the first of them is simple: nothing on the way can have woken it. Else anyone may have. */
static void add_one(struct bpor *bpor, const struct trace *trace, uint32_t step,
                    const struct late *late, const struct leading *leading)
{
    const struct sleeper *first = bpor_find_sleeper(bpor, step, leading->first);
    if (first != NULL && first->event.choice != 0 && is_exact(late))
        return;
    THREADS_EACH(thread, &leading->threads)
    if (has_thread(bpor, trace, step, thread))
        return;
    thread_id best = NO_THREAD;
    THREADS_EACH(thread, &leading->threads)
    if (bpor_find_sleeper(bpor, step, thread) == NULL &&
        (best == NO_THREAD || thread == late->thread))
        best = thread;
    thread_set one = {{0}};
    if (best != NO_THREAD) {
        thread_set_add(&one, best);
        add_threads(bpor, trace, step, &leading->threads, one);
    } else if (bpor_keeps(bpor, BPOR_ANYONE)) {
        add_awake(bpor, trace, step, &leading->threads, trace->steps[step].enabled);
    }
}

/* Something that leads to what came later is to be run at this step. */
static void add_before(struct bpor *bpor, const struct trace *trace, uint32_t step,
                       const struct late *late)
{
    while (step > 0 && trace->steps[step].flags & STEP_INSIDE)
        step--;
    const struct step *at = &trace->steps[step];
    if (at->thread == late->thread || bpor_is_known(bpor, late, step) ||
        has_thread(bpor, trace, step, late->thread))
        return;
    if (!thread_set_has(&at->enabled, late->thread) && !bpor_keeps(bpor, BPOR_LEADING))
        return;
    struct leading leading = find_leading(bpor, trace, step, late, false);
    if (thread_set_is_empty(&leading.threads) && op_waits_for_readers(late->op->kind))
        leading = find_leavers(bpor, trace, step, late);
    if (!thread_set_is_empty(&leading.threads)) {
        add_one(bpor, trace, step, late, &leading);
        return;
    }
    if (late->pends || !is_intricate(bpor, late))
        return;
    static const thread_set none;
    leading = find_leading(bpor, trace, step, late, true);
    add_awake(bpor, trace, step, &none, leading.threads);
}

void bpor_add_points(struct bpor *bpor, const struct trace *trace, uint32_t step,
                     const struct late *late)
{
    if (trace->steps[step].thread == late->thread || bpor_is_known(bpor, late, step))
        return;
    if (bpor_keeps(bpor, BPOR_STEP))
        add_before(bpor, trace, step, late);
    if (bpor_keeps(bpor, BPOR_BEGIN) && bpor->begin[step] != step)
        add_before(bpor, trace, bpor->begin[step], late);
}
