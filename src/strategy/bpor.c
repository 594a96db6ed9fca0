/* Bounded partial-order reduction: every class that has an execution with at most c preemptions, then
 * c + 1, … (after Coons, Musuvathi and McKinley 2013, made to keep whole classes; docs/STRATEGIES.md
 * says why it loses none).
 *
 * The execution in hand is a branch of a tree; at each of its steps some threads were explored and some
 * wait to be. A step that depends on an earlier one of another thread could have come before it. So its
 * thread, or one that leads to it, is to be run where the earlier step was; and also where the thread of
 * that step began to run, for there it may cost no preemption: these are the conservative points. What
 * one step makes possible for another counts as well, since who could not go on was left for nothing. */
#include "strategy/bpor.h"

#include <string.h>

#include "strategy/alternative.h"
#include "strategy/order.h"
#include "strategy/shares.h"
#include "strategy/strategy.h"
#include "strategy/waiting.h"
#include "strategy/wakeup.h"

enum { TOUCHES_MOST = 4, SLEEPERS_MAX = 4096 }; /* of a step, on average */
#define HELD_NONE UINT64_MAX

struct sets {
    thread_set waiting, done; /* threads to be run at a step; those run, but for the one in hand */
    uint32_t asleep;          /* a list of nodes: what the latter did, as far as it lets them sleep */
    uint16_t simple;          /* see below */
    struct footprint run;     /* where a thread begins to run: all that it touches until it stops */
};

/* Who was run at a step need not be run after others that do not touch what it touches: not for one step if
 * it could go on from there for nothing; else for all that it does until it stops. It does not sleep on
 * where another had to stop for something that it would have made possible: that other one could then be
 * left for nothing. */
struct sleeper {
    struct event event; /* its choice: whether it is simple, one step that makes nothing possible */
    uint32_t first, last; /* steps before which it sleeps; UINT32_MAX: to the end */
};

struct level { /* a step of the branch with such sets */
    uint32_t step;
    struct sets sets;
};

struct bpor {
    struct journal *journal;
    uint32_t steps_max;
    int32_t bound_max; /* or NO_BOUND */
    enum bpor_rule left_out;
    uint64_t held;     /* now.learned, if what follows is of the trace learnt last; else HELD_NONE */
    struct order order;
    struct sets *at;     /* by step */
    struct event *taken; /* by step: what was done */
    uint32_t *cost;      /* by step: preemptions before it */
    uint32_t *begin;     /* by step: where its thread began to run, or gave way */
    uint32_t *last;      /* by thread: 1 + its last step before the one in hand */
    uint32_t *led;       /* by thread: 1 + the step that woke it, whereas it could have timed out; 0 */
    uint32_t *woken;     /* by thread: 1 + the step before that one without which it could not go on */
    struct sleeper *sleepers; /* by `first` */
    uint32_t sleeper_count;
    struct { /* what the execution in flight follows, and the one before it */
        struct decision *prefix;
        struct level *levels;
        struct event *asleep; /* before step `from` */
    } plans[2];
    struct event *resting; /* choose(): those of asleep that still sleep */
    struct {
        uint64_t beyond; /* 1 + now.learned: it was cut since going on would cost too much */
        uint32_t count, looked; /* … up to this step */
        uint32_t cost;          /* … and preemptions before that */
    } flight;
    struct {
        uint64_t learned; /* traces */
        int32_t bound;
        uint32_t plan;
        uint32_t prefix_count, level_count, asleep_count;
        uint32_t from;  /* where it leaves the one before */
        uint32_t cost;  /* preemptions before that */
        uint32_t check; /* fingerprint of what comes before that */
        uint8_t ended, diverged;
        uint8_t beyond; /* something was left out that costs more than this bound */
        uint64_t first; /* of the traces: of this bound */
        struct estimate estimate;
        struct wakeup nodes;
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
    bpor->left_out = options->left_out;
    bpor->at = arena_take(arena, (steps + 1) * sizeof *bpor->at);
    bpor->taken = arena_take(arena, steps * sizeof *bpor->taken);
    bpor->cost = arena_take(arena, (steps + 1) * sizeof *bpor->cost);
    bpor->begin = arena_take(arena, steps * sizeof *bpor->begin);
    bpor->last = arena_take(arena, THREADS_MAX * sizeof *bpor->last);
    bpor->led = arena_take(arena, THREADS_MAX * sizeof *bpor->led);
    bpor->woken = arena_take(arena, THREADS_MAX * sizeof *bpor->woken);
    for (int i = 0; i < 2; i++) {
        bpor->plans[i].prefix = arena_take(arena, steps * sizeof(struct decision));
        bpor->plans[i].levels = arena_take(arena, (steps + 1) * sizeof(struct level));
        bpor->plans[i].asleep = arena_take(arena, SLEEPERS_MAX * sizeof(struct event));
    }
    bpor->sleepers = arena_take(arena, SLEEPERS_MAX * sizeof *bpor->sleepers);
    bpor->resting = arena_take(arena, SLEEPERS_MAX * sizeof *bpor->resting);
    order_open(&bpor->order, arena, options->steps_max, options->steps_max * TOUCHES_MOST);
    wakeup_open(&bpor->now.nodes, arena, journal);
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

static bool step_preempts(const struct step *steps, uint32_t step)
{
    if (step == 0 || steps[step].thread == steps[step - 1].thread)
        return false;
    return thread_set_has(&steps[step].enabled, steps[step - 1].thread) &&
           !op_gives_way(steps[step - 1].op.kind);
}

static bool keeps(const struct bpor *bpor, enum bpor_rule rule)
{
    return bpor->left_out != rule;
}

/* What the thread of a step was to do next, if it had to stop there; NULL: it had not. */
static const struct op *stopped_at(const struct bpor *bpor, const struct step *steps,
                                   uint32_t count, uint32_t step, const thread_set *enabled,
                                   const struct op *pending)
{
    thread_id thread = steps[step].thread;
    if (thread_set_has(enabled, thread) || !keeps(bpor, BPOR_STOP))
        return NULL;
    for (uint32_t i = step + 1; i < count; i++)
        if (steps[i].thread == thread)
            return &steps[i].op;
    return &pending[thread];
}

static bool wakes(const struct event *sleeper, const struct event *taken, const struct op *stopped)
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

static void look_on(struct bpor *bpor, const struct choice_point *at, uint32_t step)
{
    bpor->flight.cost += step_preempts(at->steps, step);
    if (bpor->flight.count == 0)
        return;
    struct event taken;
    event_load(&taken, at->steps, at->touches, step);
    const thread_set *enabled = step + 1 < at->step ? &at->steps[step + 1].enabled : &at->enabled;
    const struct op *stopped = stopped_at(bpor, at->steps, at->step, step, enabled, at->pending);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < bpor->flight.count; i++)
        if (!wakes(&bpor->resting[i], &taken, stopped))
            bpor->resting[kept++] = bpor->resting[i];
    bpor->flight.count = kept;
}

static bool is_resting(const struct bpor *bpor, thread_id thread)
{
    for (uint32_t i = 0; i < bpor->flight.count; i++)
        if (bpor->resting[i].thread == thread)
            return true;
    return false;
}

static struct decision bpor_choose(struct pilot *pilot, const struct choice_point *at)
{
    struct bpor *bpor = (struct bpor *)pilot->state;
    struct decision none = {.step = at->step, .thread = NO_THREAD};
    if (pilot->position == 0) {
        bpor->flight.count = bpor->now.asleep_count;
        bpor->flight.looked = bpor->now.from;
        bpor->flight.cost = bpor->now.cost;
        memcpy(bpor->resting, bpor->plans[bpor->now.plan].asleep,
               bpor->now.asleep_count * sizeof *bpor->resting);
    }
    pilot_looked(pilot, at);
    for (; bpor->flight.looked < at->step; bpor->flight.looked++)
        look_on(bpor, at, bpor->flight.looked);
    thread_id first = thread_set_next_around(&at->enabled, at->last), thread = first;
    if (!is_resting(bpor, first))
        return decision_nth(at, 0);
    bool costs = at->step > 0 && first == at->last && !at->last_gave_way;
    for (;;) {
        thread = thread_set_next_around(&at->enabled, thread + 1u);
        if (thread == first)
            return none;
        if (!is_resting(bpor, thread))
            break;
    }
    if (costs && bpor->flight.cost == (uint32_t)bpor->now.bound) {
        bpor->flight.beyond = bpor->now.learned + 1;
        return none;
    }
    return (struct decision){at->step, thread, 0};
}

/* What came later: a step, or an operation that was still pending. */
struct late {
    uint32_t step; /* or the number of all steps */
    thread_id thread;
    uint32_t last, woken; /* its thread's, as above: what it comes after whatever else happens */
    uint32_t led;         /* … and what it need not have waited for */
    const struct op *op;
    bool pends;
};

/* Whether the steps that it depends on, if it came before some of them, can be told from the trace: it did
 * not wait, or for an object of which all uses depend on each other. */
static bool is_exact(const struct late *late)
{
    switch (late->op->kind) {
    case OP_MUTEX_LOCK:
    case OP_SPIN_LOCK:
    case OP_SEM_WAIT: return true;
    default: return !op_may_wait(late->op->kind);
    }
}

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

static const struct sleeper *find_sleeper(const struct bpor *bpor, uint32_t step, thread_id thread)
{
    for (uint32_t i = 0; i < bpor->sleeper_count; i++) {
        const struct sleeper *sleeper = &bpor->sleepers[i];
        if (sleeper->event.thread == thread && sleeper->first <= step && step <= sleeper->last)
            return sleeper;
    }
    return NULL;
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
        bool known = is_known(bpor, late, i);
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

static void add_all(struct bpor *bpor, const struct trace *trace, uint32_t step,
                    const thread_set *threads)
{
    THREADS_EACH(thread, threads)
        if (find_sleeper(bpor, step, thread) == NULL)
            add_thread(bpor, trace, step, thread);
}

/* One is enough, if it does not sleep. If all sleep, what would have to be run was run, provided that the
 * first of them is simple: nothing on the way can have woken it. Else anyone may have. */
static void add_one(struct bpor *bpor, const struct trace *trace, uint32_t step,
                    const struct late *late, const struct leading *leading)
{
    const struct sleeper *first = find_sleeper(bpor, step, leading->first);
    if (first != NULL && first->event.choice != 0 && is_exact(late))
        return;
    THREADS_EACH(thread, &leading->threads)
        if (has_thread(bpor, trace, step, thread))
            return;
    thread_id best = NO_THREAD;
    THREADS_EACH(thread, &leading->threads)
        if (find_sleeper(bpor, step, thread) == NULL &&
            (best == NO_THREAD || thread == late->thread))
            best = thread;
    if (best != NO_THREAD)
        add_thread(bpor, trace, step, best);
    else if (keeps(bpor, BPOR_ANYONE))
        add_all(bpor, trace, step, &trace->steps[step].enabled);
}

/* Something that leads to what came later is to be run at this step. */
static void add_before(struct bpor *bpor, const struct trace *trace, uint32_t step,
                       const struct late *late)
{
    while (step > 0 && trace->steps[step].flags & STEP_INSIDE)
        step--;
    const struct step *at = &trace->steps[step];
    if (at->thread == late->thread || is_known(bpor, late, step) ||
        has_thread(bpor, trace, step, late->thread))
        return;
    if (!thread_set_has(&at->enabled, late->thread) && !keeps(bpor, BPOR_LEADING))
        return;
    struct leading leading = find_leading(bpor, trace, step, late, false);
    if (!thread_set_is_empty(&leading.threads)) {
        add_one(bpor, trace, step, late, &leading);
        return;
    }
    if (late->pends || !is_intricate(bpor, late))
        return;
    leading = find_leading(bpor, trace, step, late, true);
    add_all(bpor, trace, step, &leading.threads);
}

static void add_points(struct bpor *bpor, const struct trace *trace, uint32_t step,
                       const struct late *late)
{
    if (trace->steps[step].thread == late->thread || is_known(bpor, late, step))
        return;
    if (keeps(bpor, BPOR_STEP))
        add_before(bpor, trace, step, late);
    if (keeps(bpor, BPOR_BEGIN) && bpor->begin[step] != step)
        add_before(bpor, trace, bpor->begin[step], late);
}

/* The touches of an object before a later one: the last that conflict with it, or, where that one may
 * have waited, all that it did not know of. */
static void look_back(struct bpor *bpor, const struct trace *trace, uint32_t touch, bool writes,
                      const struct late *late)
{
    bool waits = op_may_wait(late->op->kind) && keeps(bpor, BPOR_WAITED);
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

/* What it was to do, which is not known or could not be done before a step that depends on every other, may depend
 * on all that others have done. */
static void look_over(struct bpor *bpor, const struct trace *trace, uint32_t first, uint32_t last,
                      const struct late *late)
{
    for (uint32_t step = last + 1; step-- > first;)
        add_points(bpor, trace, step, late);
}

static void look_past_all(struct bpor *bpor, const struct trace *trace, uint32_t last_all,
                          const struct late *late)
{
    if (last_all > late->last && !thread_set_has(&trace->steps[last_all - 1].enabled, late->thread))
        look_over(bpor, trace, late->last, last_all - 1, late);
}

/* The thread was to do something else before this step. */
static void look_at_struck(struct bpor *bpor, const struct trace *trace, uint32_t step, thread_id thread)
{
    static const struct op unknown = {.kind = OP_COND_WAKE, .choices = 1};
    struct late late = {.step = step,
                        .thread = thread,
                        .last = bpor->last[thread],
                        .woken = bpor->woken[thread],
                        .led = bpor->led[thread],
                        .op = &unknown,
                        .pends = true};
    if (thread != trace->steps[step].thread)
        look_over(bpor, trace, 0, step, &late);
}

static void look_at_step(struct bpor *bpor, const struct trace *trace, uint32_t step,
                         uint32_t last_all)
{
    const struct step *at = &trace->steps[step];
    struct late late = {.step = step,
                        .thread = at->thread,
                        .last = bpor->last[at->thread],
                        .woken = bpor->woken[at->thread],
                        .led = bpor->led[at->thread],
                        .op = &at->op};
    if (last_all != 0) {
        add_points(bpor, trace, last_all - 1, &late);
        look_past_all(bpor, trace, last_all, &late);
    }
    if (late.led != 0 && keeps(bpor, BPOR_LED))
        add_points(bpor, trace, late.led - 1, &late);
    if (bpor->taken[step].footprint.all)
        look_at_all(bpor, trace, &late);
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < at->touches_end; i++) {
        struct touch touch = trace->touches[i];
        if (touch.access == TOUCH_READS || touch.access == TOUCH_WRITES)
            look_back(bpor, trace, bpor->order.touches[i].previous, touch.access == TOUCH_WRITES,
                      &late);
        else if (touch.access == TOUCH_FOLLOWS && bpor->last[touch.object] != 0 &&
                 keeps(bpor, BPOR_JOIN))
            add_points(bpor, trace, bpor->last[touch.object] - 1, &late);
    }
}

static void look_at_pending(struct bpor *bpor, const struct trace *trace, thread_id thread,
                            uint32_t last_all)
{
    const struct op *op = &trace->pending[thread];
    struct late late = {.step = trace->count,
                        .thread = thread,
                        .last = bpor->last[thread],
                        .woken = bpor->woken[thread],
                        .led = bpor->led[thread],
                        .op = op,
                        .pends = true};
    uint32_t last = trace->count - 1;
    if (trace->steps[last].flags & STEP_ENDS)
        add_points(bpor, trace, last, &late);
    look_past_all(bpor, trace, last_all, &late);
    bool asleep = (op->kind == OP_COND_WAKE || op->kind == OP_FUTEX_WAKE) &&
                  op->before == COND_ASLEEP && !op_may_time_out(op);
    if (!op_may_wait(op->kind) || asleep)
        return;
    if (late.led != 0 && keeps(bpor, BPOR_LED))
        add_points(bpor, trace, late.led - 1, &late);
    if (op_depends_on_all(op->kind))
        look_at_all(bpor, trace, &late);
    struct footprint footprint = footprint_predicted(op, op->before);
    for (uint32_t i = 0; i < footprint.count; i++) {
        CHECK(footprint.touches[i].object < ORDER_OBJECTS_MAX);
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
        bpor->woken[thread] = bpor->led[thread] = 0;
        for (; lead != 0; lead = order->touches[lead - 1].previous) {
            uint32_t step = order->touches[lead - 1].step;
            if (step < last)
                break;
            if (step >= first || step_strikes(&trace->steps[step]))
                continue;
            if (thread_set_has(&trace->steps[step].enabled, (thread_id)thread)) {
                if (bpor->led[thread] == 0)
                    bpor->led[thread] = step + 1;
                continue;
            }
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
        for (uint32_t i = trace_touches_begin(trace->steps, step); i < at->touches_end; i++)
            if (trace->touches[i].access == TOUCH_LEADS && step_strikes(at))
                look_at_struck(bpor, trace, step, (thread_id)trace->touches[i].object);
        bpor->last[at->thread] = step + 1;
        bpor->woken[at->thread] = bpor->led[at->thread] = 0;
        if (at->flags & (STEP_ALL | STEP_ENDS))
            last_all = step + 1;
        for (uint32_t i = trace_touches_begin(trace->steps, step); i < at->touches_end; i++)
            if (trace->touches[i].access == TOUCH_LEADS && !step_strikes(at)) {
                thread_id thread = (thread_id)trace->touches[i].object;
                bool enabled = thread_set_has(&at->enabled, thread);
                (enabled ? bpor->led : bpor->woken)[thread] = step + 1;
            }
    }
    if (trace->count == 0 || !keeps(bpor, BPOR_PENDING))
        return;
    THREADS_EACH(thread, &trace->alive)
        look_at_pending(bpor, trace, thread, last_all);
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
        bpor->cost[step + 1] = bpor->cost[step] + step_preempts(trace->steps, step);
    }
}

static bool ends_thread(const struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    thread_id thread = trace->steps[step].thread;
    return bpor->order.last[thread] == step + 1 && !thread_set_has(&trace->alive, thread);
}

/* One step that makes nothing possible, not even to join its thread. */
static bool is_simple(const struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    return op_lets_nobody_on(trace->steps[step].op.kind) && !ends_thread(bpor, trace, step);
}

/* What threads touch from where they begin to run until they stop; it is seen when they run there first. */
static void note_runs(struct bpor *bpor, const struct trace *trace, uint32_t first)
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

/* Those that fell asleep before a step; what wakes them from there on is not known. */
static void keep_sleepers(struct bpor *bpor, uint32_t same)
{
    while (bpor->sleeper_count > 0 && bpor->sleepers[bpor->sleeper_count - 1].first >= same)
        bpor->sleeper_count--;
    for (uint32_t i = 0; i < bpor->sleeper_count; i++)
        if (bpor->sleepers[i].last >= same)
            bpor->sleepers[i].last = UINT32_MAX;
}

/* Who sleeps before which steps of the branch. */
static void find_sleepers(struct bpor *bpor, const struct trace *trace, uint32_t same)
{
    const struct wakeup_node *nodes = bpor->now.nodes.nodes;
    keep_sleepers(bpor, same);
    uint32_t awake = 0; /* sleepers[awake..) sleep still */
    for (uint32_t step = same; step < trace->count; step++) {
        for (uint32_t node = bpor->at[step].asleep; node != 0; node = nodes[node].next)
            if (bpor->sleeper_count < SLEEPERS_MAX) /* who finds no room does not sleep */
                bpor->sleepers[bpor->sleeper_count++] =
                    (struct sleeper){nodes[node].event, step, UINT32_MAX};
        if (awake == bpor->sleeper_count)
            continue;
        const struct op *stopped = NULL;
        if (step + 1 < trace->count && !ends_thread(bpor, trace, step))
            stopped = stopped_at(bpor, trace->steps, trace->count, step,
                                 &trace->steps[step + 1].enabled, trace->pending);
        for (uint32_t i = awake; i < bpor->sleeper_count; i++) {
            struct sleeper *sleeper = &bpor->sleepers[i];
            if (sleeper->last >= step && wakes(&sleeper->event, &bpor->taken[step], stopped))
                sleeper->last = step;
        }
        while (awake < bpor->sleeper_count && bpor->sleepers[awake].last <= step)
            awake++;
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
    if (bpor->begin[step] == step || !thread_set_is_empty(&sets->waiting) ||
        !thread_set_is_empty(&sets->done))
        bpor->plans[plan].levels[bpor->now.level_count++] = (struct level){step, *sets};
}

/* The thread that ran at a step is done there. */
static void put_to_sleep(struct bpor *bpor, const struct trace *trace, uint32_t step)
{
    struct sets *at = &bpor->at[step];
    const struct step *ran = &trace->steps[step];
    struct event event = {.thread = ran->thread};
    thread_set_add(&at->done, ran->thread);
    if (bpor->begin[step] == step && keeps(bpor, BPOR_RUN)) {
        event.footprint = at->run;
        event.choice = at->simple;
    } else {
        event.footprint = bpor->taken[step].footprint;
        event.footprint.all |= ran->op.choices > 1;
        event.choice = is_simple(bpor, trace, step);
    }
    if (!event.footprint.all)
        wakeup_push(&bpor->now.nodes, &at->asleep, &event);
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
        put_to_sleep(bpor, trace, step);
        thread_set_remove(&bpor->at[step].waiting, decision.thread);
    }
    keep_level(bpor, plan, step);
    bpor->now.asleep_count = 0;
    struct event *asleep = bpor->plans[plan].asleep;
    for (uint32_t i = 0; i < bpor->sleeper_count; i++)
        if (bpor->sleepers[i].first < step && step <= bpor->sleepers[i].last)
            asleep[bpor->now.asleep_count++] = bpor->sleepers[i].event;
    const struct wakeup_node *nodes = bpor->now.nodes.nodes;
    for (uint32_t node = bpor->at[step].asleep; node != 0; node = nodes[node].next)
        if (bpor->now.asleep_count < SLEEPERS_MAX)
            asleep[bpor->now.asleep_count++] = nodes[node].event;
    bpor->now.plan = plan;
    bpor->now.prefix_count = prefix_count;
    bpor->now.from = step;
    bpor->now.cost = bpor->cost[step];
    bpor->now.check = schedule_check(trace->steps[step].fingerprint);
}

/* The deepest alternative that waits; then the next bound, from the start. */
static void advance(struct bpor *bpor, const struct trace *trace)
{
    for (uint32_t step = trace->count; step-- > 0;) {
        struct decision next = next_at(bpor, trace, step);
        if (next.thread != NO_THREAD) {
            branch(bpor, trace, next);
            return;
        }
        wakeup_free_list(&bpor->now.nodes, bpor->at[step].asleep);
    }
    bpor->now.prefix_count = bpor->now.level_count = bpor->now.asleep_count = 0;
    bpor->now.from = bpor->now.check = bpor->now.cost = 0;
    if (!bpor->now.beyond || bpor->now.bound == bpor->bound_max) {
        bpor->now.ended = true;
        return;
    }
    bpor->now.bound++;
    bpor->now.beyond = false;
    bpor->now.first = bpor->now.learned + 1;
    bpor->now.estimate = (struct estimate){0};
}

/* The steps that this trace has in common with the one learnt before it, of which all is at hand. It is
 * not if that was not learnt to the end, by a worker that died. */
static uint32_t begin_learning(struct bpor *bpor)
{
    uint32_t same = bpor->held == bpor->now.learned ? bpor->now.from : 0;
    bpor->held = HELD_NONE;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (same == 0) {
        bpor->sleeper_count = 0;
        order_clear(&bpor->order);
    }
    return same;
}

/* As that of dpor. */
static uint64_t share_done(const struct bpor *bpor)
{
    uint64_t done_before = 0, here = UINT64_MAX;
    for (uint32_t i = 0; i < bpor->now.level_count; i++) {
        const struct sets *sets = &bpor->plans[bpor->now.plan].levels[i].sets;
        uint32_t done = thread_set_count(&sets->done);
        here /= 1 + done + thread_set_count(&sets->waiting);
        done_before += here * done;
    }
    return done_before;
}

static void look_ahead(struct bpor *bpor)
{
    uint64_t next = bpor->now.learned - bpor->now.first + 1;
    if (bpor->now.ended || !shares_are_due(next))
        return;
    bpor->now.estimate.kind = ESTIMATE_GROWING;
    shares_note(&bpor->now.estimate, next, share_done(bpor));
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
    find_sleepers(bpor, trace, same);
    note_runs(bpor, trace, bpor->now.from);
    look(bpor, trace, bpor->now.from);
    bpor->now.beyond |= bpor->flight.beyond == bpor->now.learned + 1;
    advance(bpor, trace);
    bpor->now.learned++;
    look_ahead(bpor);
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
        .estimate = bpor->now.estimate,
    };
}

const struct strategy strategy_bpor = {
    .name = "bpor",
    .summary = "one execution or few for each class with 0 preemptions, then 1, 2, …",
    .bound_name = "preemptions",
    .state_size = sizeof(struct bpor),
    .reduces = true,
    .reduces_strikes = true,
    .turns = TURNS_READ,
    .open = bpor_open,
    .plan = bpor_plan,
    .choose = bpor_choose,
    .learn = bpor_learn,
    .progress = bpor_progress,
};
