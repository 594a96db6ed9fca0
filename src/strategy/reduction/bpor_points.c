/* Points: a later operation could have come before a step. Which thread must run there for that,
 * and at the conservative point, where the thread of that step began to run. */
#include "strategy/reduction/bpor_state.h"
#include "strategy/waiting.h"

/* Whether the trace shows what the late operation depends on if it comes before some of those
 * steps: it was never blocked, or only for an object of which all uses depend on each other. */
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

/* Whether the bound allows another thread at a step. The cost is the same for each, since the
 * default thread was run first. */
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

/* Adds threads that must run at a step and do not run there yet. Above the floor the crown adds
 * them, unless one of `enough` runs there: other workers may have added it. */
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

/* Whether more than its own past and its object decides when the late operation is enabled. */
static bool is_intricate(const struct bpor *bpor, const struct late *late)
{
    const struct footprint *footprint = &bpor->taken[late->step].footprint;
    return footprint->all || footprint->count > 1 || late->op->kind == OP_JOIN;
}

/* Threads that were enabled at a step and lead to the late operation without the thread that ran
 * there. */
struct leading {
    thread_set threads;
    /* Thread of the first step that the late operation depends on, or its own thread. */
    thread_id first;
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

/* The threads that could run at a step and lead to an operation that waits for readers, without
 * what comes after the step: the readers inside the lock leave, and other readers do not depend on
 * that. */
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

/* Adds one leading thread, if one of them does not sleep. If all sleep, the needed execution was
 * explored, provided that the first of them is simple: nothing on the way can have woken it.
 * Otherwise any thread may have woken them, so all threads that do not sleep are added. */
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

/* Sees to it that a thread that leads to the late operation runs at this step. */
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
