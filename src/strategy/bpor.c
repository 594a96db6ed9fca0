/* Bounded partial-order reduction: every class that has an execution with at most c preemptions, then
 * c + 1, … (after Coons, Musuvathi and McKinley 2013, made to keep whole classes; docs/STRATEGIES.md
 * says why it loses none).
 *
 * The execution in hand is a branch of a tree; at each of its steps some threads were explored and some
 * wait to be. A step that depends on an earlier one of another thread could have come before it. So its
 * thread, or one that leads to it, is to be run where the earlier step was; and also where the thread of
 * that step began to run, for there it may cost no preemption: these are the conservative points. What
 * one step makes possible for another counts as well, since who could not go on was left for nothing. */
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/order.h"
#include "strategy/strategy.h"

enum { TOUCHES_MOST = 4 }; /* of a step, on average */
#define HELD_NONE UINT64_MAX

struct sets {
    thread_set waiting, done; /* threads to be run at a step; those run, but for the one in hand */
};

struct level { /* a step of the branch with such sets */
    uint32_t step;
    struct sets sets;
};

struct bpor {
    struct journal *journal;
    uint32_t steps_max;
    int32_t bound_max; /* or NO_BOUND */
    uint64_t held;     /* now.learned, if what follows is of the trace learnt last; else HELD_NONE */
    struct order order;
    struct sets *at;     /* by step */
    struct event *taken; /* by step: what was done */
    uint32_t *cost;      /* by step: preemptions before it */
    uint32_t *begin;     /* by step: where its thread began to run, or gave way */
    uint32_t *last;      /* by thread: 1 + its last step before the one in hand */
    uint32_t *woken;     /* by thread: 1 + the step before that one without which it could not go on */
    struct { /* what the execution in flight follows, and the one before it */
        struct decision *prefix;
        struct level *levels;
    } plans[2];
    struct {
        uint64_t learned; /* traces */
        int32_t bound;
        uint32_t plan;
        uint32_t prefix_count, level_count;
        uint32_t from;  /* where it leaves the one before */
        uint32_t check; /* fingerprint of what comes before that */
        uint8_t ended, diverged;
        uint8_t beyond; /* something was left out that costs more than this bound */
    } now;
};

static void bpor_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    struct bpor *bpor = state;
    memset(bpor, 0, sizeof *bpor);
    size_t steps = options->steps_max;
    bpor->journal = journal;
    bpor->steps_max = options->steps_max;
    bpor->bound_max = options->bound;
    bpor->at = arena_take(arena, (steps + 1) * sizeof *bpor->at);
    bpor->taken = arena_take(arena, steps * sizeof *bpor->taken);
    bpor->cost = arena_take(arena, (steps + 1) * sizeof *bpor->cost);
    bpor->begin = arena_take(arena, steps * sizeof *bpor->begin);
    bpor->last = arena_take(arena, THREADS_MAX * sizeof *bpor->last);
    bpor->woken = arena_take(arena, THREADS_MAX * sizeof *bpor->woken);
    for (int i = 0; i < 2; i++) {
        bpor->plans[i].prefix = arena_take(arena, steps * sizeof(struct decision));
        bpor->plans[i].levels = arena_take(arena, (steps + 1) * sizeof(struct level));
    }
    order_open(&bpor->order, arena, options->steps_max, options->steps_max * TOUCHES_MOST);
}

static bool bpor_plan(void *state, struct schedule *next)
{
    const struct bpor *bpor = state;
    if (bpor->now.ended)
        return false;
    CHECK(bpor->now.prefix_count <= next->prefix_capacity);
    next->prefix_count = bpor->now.prefix_count;
    memcpy(next->prefix, bpor->plans[bpor->now.plan].prefix,
           next->prefix_count * sizeof *next->prefix);
    next->check_step = bpor->now.from;
    next->check = bpor->now.check;
    return true;
}

/* What came later: a step, or an operation that was still pending. */
struct late {
    uint32_t step; /* or the number of all steps */
    thread_id thread;
    uint32_t last, woken; /* its thread's, as above: what it comes after whatever else happens */
    const struct op *op;
    bool pends;
};

static bool is_known(const struct bpor *bpor, const struct late *late, uint32_t step)
{
    return (late->last != 0 && order_is_before(&bpor->order, step, late->last - 1)) ||
           (late->woken != 0 && order_is_before(&bpor->order, step, late->woken - 1));
}

static bool has_thread(const struct bpor *bpor, const struct trace *trace, uint32_t step,
                       thread_id thread)
{
    return trace->steps[step].thread == thread ||
           thread_set_has(&bpor->at[step].waiting, thread) ||
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

static void add_thread(struct bpor *bpor, const struct trace *trace, uint32_t step,
                       thread_id thread)
{
    if (!has_thread(bpor, trace, step, thread) && is_affordable(bpor, trace, step))
        thread_set_add(&bpor->at[step].waiting, thread);
}

/* Whether more than its own past and its object decides when it can go on. */
static bool is_intricate(const struct bpor *bpor, const struct late *late)
{
    if (late->pends)
        return op_depends_on_all(late->op->kind);
    const struct footprint *footprint = &bpor->taken[late->step].footprint;
    return footprint->all || footprint->count > 1 || late->op->kind == OP_JOIN;
}

/* Threads that could run at a step and lead to what came later, though not by the thread that ran there. */
static thread_set find_leading(const struct bpor *bpor, const struct trace *trace, uint32_t step,
                               const struct late *late, bool intricate)
{
    thread_set found = {0};
    const struct step *at = &trace->steps[step];
    for (uint32_t i = step + 1; i < late->step; i++) {
        thread_id thread = trace->steps[i].thread;
        if (thread == at->thread || !thread_set_has(&at->enabled, thread))
            continue;
        if (intricate ? order_is_before(&bpor->order, i, late->step) : is_known(bpor, late, i))
            thread_set_add(&found, thread);
    }
    return found;
}

/* Something that leads to what came later is to be run at this step. */
static void add_before(struct bpor *bpor, const struct trace *trace, uint32_t step,
                       const struct late *late)
{
    while (step > 0 && trace->steps[step].flags & STEP_INSIDE)
        step--;
    const struct step *at = &trace->steps[step];
    if (at->thread == late->thread || is_known(bpor, late, step))
        return;
    if (thread_set_has(&at->enabled, late->thread)) {
        add_thread(bpor, trace, step, late->thread);
        return;
    }
    thread_set leading = find_leading(bpor, trace, step, late, false);
    if (!thread_set_is_empty(&leading)) { /* one is enough */
        THREADS_EACH(thread, &leading)
            if (has_thread(bpor, trace, step, thread))
                return;
        add_thread(bpor, trace, step, thread_set_next(&leading, 0));
        return;
    }
    if (!is_intricate(bpor, late) || late->pends)
        return;
    leading = find_leading(bpor, trace, step, late, true);
    THREADS_EACH(thread, &leading)
        add_thread(bpor, trace, step, thread);
}

static void add_points(struct bpor *bpor, const struct trace *trace, uint32_t step,
                       const struct late *late)
{
    if (trace->steps[step].thread == late->thread || is_known(bpor, late, step))
        return;
    add_before(bpor, trace, step, late);
    add_before(bpor, trace, bpor->begin[step], late);
}

/* Whether it can be that a thread waits with such an operation until others have done something. */
static bool may_wait(uint8_t kind)
{
    switch (kind) {
    case OP_ATOMIC_LOAD:
    case OP_ATOMIC_STORE:
    case OP_ATOMIC_UPDATE:
    case OP_ATOMIC_COMPARE:
    case OP_READ:
    case OP_WRITE:
    case OP_FREE:
    case OP_CREATE:
    case OP_MUTEX_UNLOCK:
    case OP_MUTEX_TRYLOCK:
    case OP_COND_WAIT:
    case OP_COND_SIGNAL:
    case OP_COND_BROADCAST:
    case OP_RWLOCK_UNREAD:
    case OP_RWLOCK_UNWRITE:
    case OP_RWLOCK_TRYREAD:
    case OP_RWLOCK_TRYWRITE:
    case OP_SPIN_TRYLOCK:
    case OP_SPIN_UNLOCK:
    case OP_BARRIER_ARRIVE:
    case OP_SEM_TRYWAIT:
    case OP_SEM_POST: return false;
    default: return true;
    }
}

/* The touches of an object before a later one: the last that conflict with it, or, where that one may
 * have waited, all that it did not know of. */
static void look_back(struct bpor *bpor, const struct trace *trace, uint32_t touch, bool writes,
                      const struct late *late)
{
    bool waits = may_wait(late->op->kind);
    for (uint32_t at = touch; at != 0; at = bpor->order.touches[at - 1].previous) {
        uint32_t step = bpor->order.touches[at - 1].step;
        bool written = trace->touches[at - 1].access == TOUCH_WRITES;
        if (writes || written)
            add_points(bpor, trace, step, late);
        if (written && (!waits || is_known(bpor, late, step)))
            return;
    }
}

static void look_at_all(struct bpor *bpor, const struct trace *trace, const struct late *late)
{
    for (uint32_t thread = 0; thread < trace->thread_count; thread++)
        if (bpor->last[thread] != 0)
            add_points(bpor, trace, bpor->last[thread] - 1, late);
}

static void look_at_step(struct bpor *bpor, const struct trace *trace, uint32_t step,
                         uint32_t last_all)
{
    const struct step *at = &trace->steps[step];
    struct late late = {.step = step,
                        .thread = at->thread,
                        .last = bpor->last[at->thread],
                        .woken = bpor->woken[at->thread],
                        .op = &at->op};
    if (last_all != 0)
        add_points(bpor, trace, last_all - 1, &late);
    if (bpor->taken[step].footprint.all)
        look_at_all(bpor, trace, &late);
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < at->touches_end; i++) {
        struct touch touch = trace->touches[i];
        if (touch.access == TOUCH_READS || touch.access == TOUCH_WRITES)
            look_back(bpor, trace, bpor->order.touches[i].previous, touch.access == TOUCH_WRITES,
                      &late);
        else if (touch.access == TOUCH_FOLLOWS && bpor->last[touch.object] != 0)
            add_points(bpor, trace, bpor->last[touch.object] - 1, &late);
    }
}

static void look_at_pending(struct bpor *bpor, const struct trace *trace, thread_id thread)
{
    const struct op *op = &trace->pending[thread];
    struct late late = {.step = trace->count,
                        .thread = thread,
                        .last = bpor->last[thread],
                        .woken = bpor->woken[thread],
                        .op = op,
                        .pends = true};
    uint32_t last = trace->count - 1;
    if (trace->steps[last].flags & STEP_ENDS)
        add_points(bpor, trace, last, &late);
    if (!may_wait(op->kind) || (op->kind == OP_COND_WAKE && op->before == COND_ASLEEP))
        return;
    if (op_depends_on_all(op->kind))
        look_at_all(bpor, trace, &late);
    struct footprint footprint = footprint_predicted(op, op->before);
    for (uint32_t i = 0; i < footprint.count; i++) {
        const struct order_object *object = &bpor->order.objects[footprint.touches[i].object];
        if (object->generation == bpor->order.generation)
            look_back(bpor, trace, object->last, footprint.touches[i].access == TOUCH_WRITES,
                      &late);
    }
}

/* Threads' last steps before this one, and what woke them; returns 1 + the last step that depends on every
 * other. */
static uint32_t begin_looking(struct bpor *bpor, const struct trace *trace, uint32_t first)
{
    const struct order *order = &bpor->order;
    for (uint32_t thread = 0; thread < trace->thread_count; thread++) {
        uint32_t last = order->last[thread], lead = order->leads[thread];
        while (last > first)
            last = order->undo[last - 1].last;
        bpor->last[thread] = last;
        bpor->woken[thread] = 0;
        for (; lead != 0; lead = order->touches[lead - 1].previous) {
            uint32_t step = order->touches[lead - 1].step;
            if (step < last)
                break;
            if (step >= first || thread_set_has(&trace->steps[step].enabled, (thread_id)thread))
                continue;
            bpor->woken[thread] = step + 1;
            break;
        }
    }
    return first < trace->count ? order->undo[first].last_all : order->last_all;
}

static void look(struct bpor *bpor, const struct trace *trace, uint32_t first)
{
    uint32_t last_all = begin_looking(bpor, trace, first);
    for (uint32_t step = first; step < trace->count; step++) {
        const struct step *at = &trace->steps[step];
        look_at_step(bpor, trace, step, last_all);
        bpor->last[at->thread] = step + 1;
        bpor->woken[at->thread] = 0;
        if (at->flags & (STEP_ALL | STEP_ENDS))
            last_all = step + 1;
        for (uint32_t i = trace_touches_begin(trace->steps, step); i < at->touches_end; i++)
            if (trace->touches[i].access == TOUCH_LEADS &&
                !thread_set_has(&at->enabled, (thread_id)trace->touches[i].object))
                bpor->woken[trace->touches[i].object] = step + 1;
    }
    if (trace->count == 0)
        return;
    THREADS_EACH(thread, &trace->alive)
        look_at_pending(bpor, trace, thread);
}

static void load(struct bpor *bpor, const struct trace *trace, uint32_t same)
{
    const struct level *levels = bpor->plans[bpor->now.plan].levels;
    memset(&bpor->at[same], 0, (trace->count + 1 - same) * sizeof *bpor->at);
    for (uint32_t i = bpor->now.level_count; i-- > 0 && levels[i].step >= same;) {
        CHECK(levels[i].step < trace->count);
        bpor->at[levels[i].step] = levels[i].sets;
    }
    for (uint32_t step = same; step < trace->count; step++) {
        event_load(&bpor->taken[step], trace->steps, trace->touches, step);
        bool goes_on = step > 0 && !trace_step_switches(trace, step) &&
                       !op_gives_way(trace->steps[step - 1].op.kind);
        bpor->begin[step] = goes_on ? bpor->begin[step - 1] : step;
        bpor->cost[step + 1] = bpor->cost[step] + trace_step_preempts(trace, step);
    }
}

/* What is to be run next at a step; NO_THREAD: nothing is left there. */
static struct decision next_at(const struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    struct decision choice = next_choice(trace, step);
    if (choice.thread != NO_THREAD)
        return choice;
    return (struct decision){step, thread_set_next(&bpor->at[step].waiting, 0), 0};
}

static void keep_level(struct bpor *bpor, uint32_t plan, uint32_t step)
{
    const struct sets *sets = &bpor->at[step];
    if (!thread_set_is_empty(&sets->waiting) || !thread_set_is_empty(&sets->done))
        bpor->plans[plan].levels[bpor->now.level_count++] = (struct level){step, *sets};
}

static void branch(struct bpor *bpor, const struct trace *trace, struct decision decision)
{
    uint32_t plan = 1 - bpor->now.plan, step = decision.step, prefix_count = 0;
    struct decision *prefix = bpor->plans[plan].prefix;
    bpor->now.level_count = 0;
    for (uint32_t i = 0; i < step; i++) {
        if (trace->steps[i].alternatives > 1)
            prefix[prefix_count++] =
                (struct decision){i, trace->steps[i].thread, trace->steps[i].choice};
        keep_level(bpor, plan, i);
    }
    prefix[prefix_count++] = decision;
    if (decision.thread != trace->steps[step].thread) {
        thread_set_add(&bpor->at[step].done, trace->steps[step].thread);
        thread_set_remove(&bpor->at[step].waiting, decision.thread);
    }
    keep_level(bpor, plan, step);
    bpor->now.plan = plan;
    bpor->now.prefix_count = prefix_count;
    bpor->now.from = step;
    bpor->now.check = schedule_check(trace->steps[step].fingerprint);
}

/* The deepest alternative that waits; then the next bound, from the start. */
static void advance(struct bpor *bpor, const struct trace *trace)
{
    for (uint32_t step = trace->count; step-- > 0;) {
        struct decision next = next_at(bpor, trace, step);
        if (next.thread == NO_THREAD)
            continue;
        branch(bpor, trace, next);
        return;
    }
    bpor->now.prefix_count = bpor->now.level_count = 0;
    bpor->now.from = bpor->now.check = 0;
    if (!bpor->now.beyond || bpor->now.bound == bpor->bound_max) {
        bpor->now.ended = true;
        return;
    }
    bpor->now.bound++;
    bpor->now.beyond = false;
}

/* The steps that this trace has in common with the one learnt before it, of which all is at hand. It is
 * not if that was not learnt to the end, by a worker that died. */
static uint32_t begin_learning(struct bpor *bpor)
{
    uint32_t same = bpor->held == bpor->now.learned ? bpor->now.from : 0;
    bpor->held = HELD_NONE;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (same == 0)
        order_clear(&bpor->order);
    return same;
}

static void bpor_learn(void *state, const struct trace *trace)
{
    struct bpor *bpor = state;
    journal_save(bpor->journal, &bpor->now, sizeof bpor->now);
    if (trace->outcome == OUTCOME_DIVERGED || trace->count <= bpor->now.from) {
        bpor->now.diverged = bpor->now.ended = true;
        return;
    }
    uint32_t same = begin_learning(bpor);
    load(bpor, trace, same);
    order_learn(&bpor->order, trace, bpor->taken, same, trace->count);
    look(bpor, trace, bpor->now.from);
    advance(bpor, trace);
    bpor->now.learned++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bpor->held = bpor->now.learned;
}

static struct progress bpor_progress(const void *state)
{
    const struct bpor *bpor = state;
    bool all = bpor->now.ended && !bpor->now.beyond;
    return (struct progress){
        .claim = bpor->now.diverged ? CLAIM_NOTHING : all ? CLAIM_ALL_CLASSES : CLAIM_WITHIN_BOUND,
        .complete = bpor->now.ended && !bpor->now.diverged,
        .bound = bpor->now.bound,
    };
}

const struct strategy strategy_bpor = {
    .name = "bpor",
    .summary = "one execution or few for each class with 0 preemptions, then 1, 2, …",
    .bound_name = "preemptions",
    .state_size = sizeof(struct bpor),
    .reduces = true,
    .open = bpor_open,
    .plan = bpor_plan,
    .choose = choose_default,
    .learn = bpor_learn,
    .progress = bpor_progress,
};
