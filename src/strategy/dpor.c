/* Dynamic partial-order reduction: one execution for each class of interleavings.
 *
 * optimal  source sets, sleep sets and wake-up trees (Abdulla, Aronis, Jonsson and Sagonas 2017)
 * source   source sets and sleep sets: some executions are cut
 * classic  persistent sets found on the way, and sleep sets (Flanagan and Godefroid 2005; Inspect,
 *          Yang et al. 2008, whose locksets are implied by the clocks: what is done under one lock is
 *          in order)
 *
 * The execution in hand is a branch of a tree. At each of its steps some alternatives were explored
 * (they sleep until a step comes that depends on them) and some wait to be. An execution shows which
 * of its steps could have come in another order (order.h); that order is added where they part. Then
 * the deepest alternative that waits is run. */
#include <string.h>

#include "strategy/dpor.h"
#include "strategy/shares.h"

enum { TOUCHES_MOST = 4 }; /* of a step, on average */

static void dpor_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    struct dpor *dpor = state;
    memset(dpor, 0, sizeof *dpor);
    size_t steps = options->steps_max;
    dpor->journal = journal;
    dpor->steps_max = options->steps_max;
    dpor->reduction = options->reduction;
    dpor->at = arena_take(arena, (steps + 1) * sizeof *dpor->at);
    dpor->taken = arena_take(arena, steps * sizeof *dpor->taken);
    dpor->events = arena_take(arena, (steps + 2) * sizeof *dpor->events);
    dpor->again = arena_take(arena, (steps + 2) * sizeof *dpor->again);
    dpor->path = arena_take(arena, (steps + 2) * sizeof *dpor->path);
    dpor->sleepers = arena_take(arena, SLEEPERS_MAX * sizeof *dpor->sleepers);
    for (int i = 0; i < 2; i++) {
        dpor->plans[i].prefix = arena_take(arena, steps * sizeof(struct decision));
        dpor->plans[i].levels = arena_take(arena, (steps + 1) * sizeof(struct level));
        dpor->plans[i].asleep = arena_take(arena, SLEEPERS_MAX * sizeof(struct event));
    }
    dpor->resting = arena_take(arena, SLEEPERS_MAX * sizeof(struct event));
    dpor->checks = arena_take(arena, steps * sizeof *dpor->checks);
    dpor->sent = arena_take(arena, DPOR_SENT * sizeof *dpor->sent);
    dpor->now.goal.thread = NO_THREAD;
    dpor->now.fails = options->fails;
    for (uint32_t i = 0; i < options->site_count; i++)
        if (options->sites[i] & SITE_WIDE)
            sites_add(&dpor->now.wide, options->sites[i] & ~SITE_WIDE);
    dpor->now.ended = dpor->now.told_end = dpor->shared = options->shared;
    order_open(&dpor->order, arena, options->steps_max, options->steps_max * TOUCHES_MOST);
    dpor->order.forgets = options->reduction == REDUCTION_OPTIMAL && !options->shared;
    wakeup_open(&dpor->now.wakeup, arena, journal);
}

static bool dpor_plan(void *state, struct schedule *next)
{
    const struct dpor *dpor = state;
    if (dpor->now.ended)
        return false;
    CHECK(dpor->now.prefix_count <= next->prefix_capacity);
    next->prefix_count = dpor->now.prefix_count;
    memcpy(next->prefix, dpor->plans[dpor->now.plan].prefix,
           next->prefix_count * sizeof *next->prefix);
    next->check_step = dpor->now.from;
    next->check = dpor->now.check;
    return true;
}

static bool is_idle(const struct dpor *dpor, const struct step *step)
{
    return order_forgets(&dpor->order, step);
}

static void wake(struct dpor *dpor, const struct choice_point *at, uint32_t step)
{
    struct event taken;
    if (is_idle(dpor, &at->steps[step]))
        return;
    event_load(&taken, at->steps, at->touches, step);
    uint32_t kept = 0;
    dpor->flight.threads = (thread_set){0};
    for (uint32_t i = 0; i < dpor->flight.count; i++) {
        if (events_depend(&dpor->resting[i], &taken))
            continue;
        dpor->resting[kept++] = dpor->resting[i];
        thread_set_add(&dpor->flight.threads, dpor->resting[i].thread);
    }
    dpor->flight.count = kept;
}

static bool is_resting(const struct dpor *dpor, thread_id thread, uint16_t choice)
{
    if (!thread_set_has(&dpor->flight.threads, thread))
        return false;
    for (uint32_t i = 0; i < dpor->flight.count; i++)
        if (dpor->resting[i].thread == thread && dpor->resting[i].choice == choice)
            return true;
    return false;
}

static void begin_flight(struct dpor *dpor)
{
    const struct event *asleep = dpor->plans[dpor->now.plan].asleep;
    dpor->flight.count = dpor->now.asleep_count;
    dpor->flight.looked = dpor->now.from;
    dpor->flight.below = dpor->now.below;
    dpor->flight.last = dpor->now.goal.step;
    dpor->flight.unsure = true;
    dpor->flight.threads = (thread_set){0};
    for (uint32_t i = 0; i < dpor->now.asleep_count; i++) {
        dpor->resting[i] = asleep[i];
        thread_set_add(&dpor->flight.threads, asleep[i].thread);
    }
}

/* A thread that yields may be about to come to the end of a turn that did nothing. */
static bool goes_round(const struct dpor *dpor, const struct choice_point *at)
{
    const struct op *op = &at->pending[at->last];
    return dpor->order.forgets && (op->kind == OP_YIELD || op->kind == OP_SLEEP) &&
           thread_set_has(&at->enabled, at->last) && !is_resting(dpor, at->last, 0);
}

static struct decision follow_goal(const struct choice_point *at, struct decision goal)
{
    bool fits = thread_set_has(&at->enabled, goal.thread) &&
                goal.choice < at->pending[goal.thread].choices;
    return fits ? goal : (struct decision){.step = at->step, .thread = NO_THREAD};
}

/* What was to be done did nothing: there is nothing to be seen from here. */
static bool was_in_vain(const struct dpor *dpor, const struct choice_point *at)
{
    return dpor->now.goal.thread != NO_THREAD && dpor->flight.last < at->step &&
           is_idle(dpor, &at->steps[dpor->flight.last]);
}

/* Where the loop yields, that shows only after it: then what was to follow is run another time. */
static struct decision follow_below(struct dpor *dpor, const struct choice_point *at)
{
    const struct wakeup_node *node = &dpor->now.wakeup.nodes[dpor->flight.below];
    struct decision next = {at->step, node->event.thread, node->event.choice};
    if (dpor->flight.unsure && next.thread != at->last && goes_round(dpor, at))
        return (struct decision){at->step, at->last, 0};
    if (dpor->flight.unsure && at->step > dpor->flight.last + 1)
        return (struct decision){.step = at->step, .thread = NO_THREAD};
    dpor->flight.below = node->child;
    dpor->flight.last = at->step;
    dpor->flight.unsure = node->event.footprint.unsure;
    return follow_goal(at, next);
}

static struct decision dpor_choose(struct pilot *pilot, const struct choice_point *at)
{
    struct dpor *dpor = (struct dpor *)pilot->state;
    struct decision none = {.step = at->step, .thread = NO_THREAD};
    if (pilot->position == 0)
        begin_flight(dpor);
    pilot_looked(pilot, at);
    if (at->step < dpor->now.from) /* there is no alternative */
        return decision_nth(at, 0);
    struct decision goal = dpor->now.goal;
    if (goal.thread != NO_THREAD && goal.step == at->step)
        return follow_goal(at, goal);
    if (was_in_vain(dpor, at))
        return none;
    if (dpor->flight.below != 0)
        return follow_below(dpor, at);
    if (goes_round(dpor, at)) /* the step before is looked at when that has shown */
        return (struct decision){at->step, at->last, 0};
    for (; dpor->flight.count > 0 && dpor->flight.looked < at->step; dpor->flight.looked++)
        wake(dpor, at, dpor->flight.looked);
    if (dpor->flight.count == 0)
        return decision_nth(at, 0);
    thread_id first = thread_set_next_around(&at->enabled, at->last), thread = first;
    do {
        for (uint16_t choice = 0; choice < at->pending[thread].choices; choice++)
            if (!is_resting(dpor, thread, choice))
                return (struct decision){at->step, thread, choice};
        thread = thread_set_next_around(&at->enabled, thread + 1u);
    } while (thread != first);
    return none;
}

static void load_taken(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    for (uint32_t step = same; step < trace->count; step++) {
        event_load(&dpor->taken[step], trace->steps, trace->touches, step);
        dpor->now.chooses |= dpor->taken[step].footprint.chooses;
    }
}

/* Those that fell asleep before a step; what wakes them from there on is not known. */
static void keep_sleepers(struct dpor *dpor, uint32_t same)
{
    while (dpor->sleeper_count > 0 && dpor->sleepers[dpor->sleeper_count - 1].first >= same)
        dpor->sleeper_count--;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (dpor->sleepers[i].last >= same)
            dpor->sleepers[i].last = UINT32_MAX;
}

/* Who sleeps before which steps of the branch. */
static void find_sleepers(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    const struct wakeup *wakeup = &dpor->now.wakeup;
    uint32_t awake = 0; /* sleepers[awake..) sleep still */
    keep_sleepers(dpor, same);
    for (uint32_t step = same; step < trace->count; step++) {
        for (uint32_t node = dpor->at[step].done; node != 0; node = wakeup->nodes[node].next) {
            if (dpor->sleeper_count == SLEEPERS_MAX) {
                dpor->now.overflow = true;
                break;
            }
            dpor->sleepers[dpor->sleeper_count++] =
                (struct sleeper){wakeup->nodes[node].event, step, UINT32_MAX};
        }
        if (awake == dpor->sleeper_count || is_idle(dpor, &trace->steps[step]))
            continue;
        const struct event *taken = &dpor->taken[step];
        for (uint32_t i = awake; i < dpor->sleeper_count; i++) {
            struct sleeper *sleeper = &dpor->sleepers[i];
            if (sleeper->last < step || !events_depend(&sleeper->event, taken))
                continue;
            sleeper->last = step;
        }
        while (awake < dpor->sleeper_count && dpor->sleepers[awake].last <= step)
            awake++;
    }
}

static bool sleeps(const struct sleeper *sleeper, uint32_t step)
{
    return sleeper->first <= step && step <= sleeper->last;
}

/* What sleeps beside a sequence comes in sooner or later, but where executions fail: then it may be what keeps
 * them from it. */
static bool beside_is_explored(const struct dpor *dpor)
{
    return !dpor->now.fails;
}

/* Whether the sleeper can come first in the sequence of a reversal, or beside it: what event_initial says,
 * without the sequence, since no step before the one that woke it depends on it. */
static bool is_first(const struct dpor *dpor, const struct trace *trace,
                     const struct reversal *reversal, const struct sleeper *sleeper)
{
    const struct event *event = &sleeper->event;
    uint32_t step = sleeper->last > reversal->step ? sleeper->last : reversal->step + 1;
    for (; step < trace->count; step++)
        if (events_depend(event, &dpor->taken[step]) &&
            order_keeps(&dpor->order, reversal, step))
            return event_is(event, &dpor->taken[step]);
    if (events_depend(event, &reversal->event))
        return event_is(event, &reversal->event);
    if (reversal->again && events_depend(event, &dpor->taken[reversal->step]))
        return event_is(event, &dpor->taken[reversal->step]);
    return beside_is_explored(dpor);
}

/* Some sequence that has this one as its part was explored. */
static bool reversal_is_explored(const struct dpor *dpor, const struct trace *trace,
                                 const struct reversal *reversal)
{
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeps(&dpor->sleepers[i], reversal->step) &&
            is_first(dpor, trace, reversal, &dpor->sleepers[i]))
            return true;
    return false;
}

/* The same of the first events that are kept. */
static bool sequence_is_explored(const struct dpor *dpor, uint32_t step, uint32_t count)
{
    int32_t least = beside_is_explored(dpor) ? EVENT_ABSENT : 0;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeps(&dpor->sleepers[i], step) &&
            event_initial(&dpor->sleepers[i].event, dpor->events, count) >= least)
            return true;
    return false;
}

static uint32_t collect(struct dpor *dpor, const struct trace *trace,
                        const struct reversal *reversal)
{
    uint32_t count = 0;
    for (uint32_t step = reversal->step + 1; step < trace->count; step++)
        if (order_keeps(&dpor->order, reversal, step))
            dpor->events[count++] = dpor->taken[step];
    dpor->events[count++] = reversal->event;
    if (reversal->again)
        dpor->events[count++] = dpor->taken[reversal->step];
    return count;
}

static bool is_initial(const struct event *event, const struct event *events, uint32_t count)
{
    return event_initial(event, events, count) >= 0;
}

/* Whether an event of the sequence can be the first, and is among those that wait or are explored. */
static bool has_source(const struct dpor *dpor, uint32_t step, uint32_t count)
{
    if (is_initial(&dpor->taken[step], dpor->events, count))
        return true;
    const struct wakeup_node *nodes = dpor->now.wakeup.nodes;
    for (uint32_t node = dpor->at[step].waiting; node != 0; node = nodes[node].next)
        if (is_initial(&nodes[node].event, dpor->events, count))
            return true;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeps(&dpor->sleepers[i], step) &&
            is_initial(&dpor->sleepers[i].event, dpor->events, count))
            return true;
    return false;
}

static bool is_listed(const struct dpor *dpor, const struct trace *trace, uint32_t step,
                      thread_id thread, uint16_t choice)
{
    const struct wakeup_node *nodes = dpor->now.wakeup.nodes;
    if (trace->steps[step].thread == thread && trace->steps[step].choice == choice)
        return true;
    for (uint32_t node = dpor->at[step].waiting; node != 0; node = nodes[node].next)
        if (nodes[node].event.thread == thread && nodes[node].event.choice == choice)
            return true;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeps(&dpor->sleepers[i], step) && dpor->sleepers[i].event.thread == thread &&
            dpor->sleepers[i].event.choice == choice)
            return true;
    return false;
}

/* Only what comes before the last of the events, in their order. */
static uint32_t keep_causes(struct event *events, uint32_t count)
{
    uint32_t first = count - 1;
    for (uint32_t i = count - 1; i-- > 0;) {
        bool needed = false;
        for (uint32_t k = first; k < count && !needed; k++)
            needed = events_depend(&events[i], &events[k]);
        if (needed)
            events[--first] = events[i];
    }
    memmove(events, &events[first], (count - first) * sizeof *events);
    return count - first;
}

/* The thread itself if it could run there, or one that leads to it, or all. */
static void add_persistent(struct dpor *dpor, const struct trace *trace, uint32_t step,
                           uint32_t count)
{
    const thread_set *enabled = &trace->steps[step].enabled;
    uint32_t *list = &dpor->at[step].waiting;
    count = keep_causes(dpor->events, count);
    for (uint32_t i = count; i-- > 0;) {
        const struct event *event = &dpor->events[i];
        if (!thread_set_has(enabled, event->thread) ||
            event_initial(event, dpor->events, count) != (int32_t)i)
            continue;
        if (!is_listed(dpor, trace, step, event->thread, event->choice))
            wakeup_push(&dpor->now.wakeup, list, event);
        return;
    }
    struct event any = {.footprint = {.all = true}};
    THREADS_EACH(thread, enabled) {
        any.thread = thread;
        if (!is_listed(dpor, trace, step, thread, 0))
            wakeup_push(&dpor->now.wakeup, list, &any);
    }
}

static void add_reversal(struct dpor *dpor, const struct trace *trace,
                         const struct reversal *reversal)
{
    uint32_t step = reversal->step;
    if (dpor->reduction == REDUCTION_OPTIMAL && reversal_is_explored(dpor, trace, reversal))
        return;
    uint32_t count = collect(dpor, trace, reversal);
    switch (dpor->reduction) {
    case REDUCTION_OPTIMAL:
        if (step < dpor->now.floor)
            dpor_return(dpor, step, count);
        else
            wakeup_insert(&dpor->now.wakeup, &dpor->at[step].waiting, dpor->events, count);
        return;
    case REDUCTION_SOURCE:
        if (!has_source(dpor, step, count))
            wakeup_push(&dpor->now.wakeup, &dpor->at[step].waiting, &dpor->events[0]);
        return;
    case REDUCTION_CLASSIC:
        add_persistent(dpor, trace, step, count);
        return;
    }
    UNREACHABLE();
}

static void load_levels(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    memset(&dpor->at[same], 0, (trace->count + 1 - same) * sizeof *dpor->at);
    const struct level *levels = dpor->plans[dpor->now.plan].levels;
    for (uint32_t i = dpor->now.level_count; i-- > 0 && levels[i].step >= same;) {
        CHECK(levels[i].step <= trace->count);
        dpor->at[levels[i].step] = levels[i].lists;
    }
}

static uint32_t deepest_waiting(struct dpor *dpor, const struct trace *trace)
{
    for (uint32_t step = trace->count + 1; step-- > dpor->now.floor;) {
        if (dpor->at[step].waiting != 0)
            return step;
        wakeup_free_list(&dpor->now.wakeup, dpor->at[step].done);
        dpor->at[step].done = 0;
    }
    return UINT32_MAX;
}

void dpor_keep_level(struct dpor *dpor, uint32_t plan, uint32_t step, struct lists lists)
{
    if (lists.done != 0 || lists.waiting != 0)
        dpor->plans[plan].levels[dpor->now.level_count++] = (struct level){step, lists};
}

/* From this step on the plan follows the first branch of a tree, which is freed; the others wait. */
void dpor_follow(struct dpor *dpor, uint32_t plan, uint32_t step, uint32_t node,
                 uint32_t prefix_count)
{
    struct wakeup *wakeup = &dpor->now.wakeup;
    struct decision *prefix = dpor->plans[plan].prefix;
    uint32_t first = node;
    dpor->now.head = wakeup->nodes[node].event;
    for (;; step++) {
        const struct wakeup_node *at = &wakeup->nodes[node];
        struct decision decision = {step, at->event.thread, at->event.choice};
        if (at->child == 0 || at->event.footprint.unsure) {
            dpor->now.goal = decision;
            dpor->now.planned = step + 1;
            dpor->now.below = at->child;
            break;
        }
        CHECK(prefix_count < dpor->steps_max);
        prefix[prefix_count++] = decision;
        node = at->child;
        dpor_keep_level(dpor, plan, step + 1, (struct lists){0, wakeup->nodes[node].next});
    }
    dpor->now.prefix_count = prefix_count;
    if (dpor->now.below != 0)
        wakeup_cut(wakeup, node);
    wakeup_free_path(wakeup, first);
}

/* The next execution follows this one up to the step, then the first branch that waits there; if none does,
 * nothing was run from there yet, and whatever can be is. */
static void branch(struct dpor *dpor, const struct trace *trace, uint32_t step, bool again)
{
    struct wakeup *wakeup = &dpor->now.wakeup;
    uint32_t plan = 1 - dpor->now.plan, prefix_count = 0;
    struct decision *prefix = dpor->plans[plan].prefix;
    dpor->now.level_count = 0;
    for (uint32_t i = 0; i < step; i++) {
        if (trace->steps[i].alternatives > 1)
            prefix[prefix_count++] =
                (struct decision){i, trace->steps[i].thread, trace->steps[i].choice};
        dpor_keep_level(dpor, plan, i, dpor->at[i]);
    }
    bool ran = step < trace->count; /* else it was cut there */
    bool done = ran && !again && !is_idle(dpor, &trace->steps[step]);
    if (done)
        wakeup_push(wakeup, &dpor->at[step].done, &dpor->taken[step]);
    uint32_t node = dpor->at[step].waiting;
    uint32_t beside = node != 0 ? wakeup->nodes[node].next : 0;
    dpor_keep_level(dpor, plan, step, (struct lists){dpor->at[step].done, beside});
    if (node != 0) {
        dpor_follow(dpor, plan, step, node, prefix_count);
    } else {
        dpor->now.prefix_count = prefix_count;
        dpor->now.planned = step;
        dpor->now.goal = (struct decision){.thread = NO_THREAD};
    }
    dpor->now.asleep_count = 0;
    for (uint32_t i = 0; i < dpor->sleeper_count; i++)
        if (sleeps(&dpor->sleepers[i], step))
            dpor->plans[plan].asleep[dpor->now.asleep_count++] = dpor->sleepers[i].event;
    if (done)
        dpor->plans[plan].asleep[dpor->now.asleep_count++] = dpor->taken[step];
    dpor->now.plan = plan;
    dpor->now.from = step;
    dpor->now.check =
        schedule_check(ran ? trace->steps[step].fingerprint : (uint32_t)trace->fingerprint);
}

/* The steps that this trace has in common with the one learnt before it, of which all is at hand. It is
 * not if that was not learnt to the end, by a worker that died. */
static uint32_t begin_learning(struct dpor *dpor)
{
    uint32_t same = dpor->held == dpor->now.learned ? dpor->now.from : 0;
    dpor->held = HELD_NONE;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (same == 0) {
        dpor->sleeper_count = 0;
        order_clear(&dpor->order);
    }
    return same;
}

struct unfolded { /* steps; UINT32_MAX: none */
    uint32_t idle, again;
};

/* A turn of a loop that did nothing, where none was seen before: what may be one is not taken for a step
 * of its own any more, and the search begins anew. */
static bool learn_sites(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    struct sites *sites = &dpor->now.sites;
    uint32_t count = sites->count;
    for (uint32_t step = same; step < trace->count; step++) {
        const struct step *at = &trace->steps[step];
        if (is_idle(dpor, at) && !op_gives_way(at->op.kind) && !sites_have(sites, at->op.site))
            sites_add(sites, at->op.site);
    }
    return sites->count > count;
}

/* The same where what comes after an operation depends on all that others do. */
static bool learn_wide(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    struct sites *wide = &dpor->now.wide;
    uint32_t count = wide->count;
    for (uint32_t step = same; step < trace->count; step++) {
        const struct step *at = &trace->steps[step];
        if (step_is_wide(at) && !sites_have(wide, at->op.site))
            sites_add(wide, at->op.site);
    }
    return wide->count > count;
}

static void begin_anew(struct dpor *dpor)
{
    dpor->now.prefix_count = dpor->now.level_count = dpor->now.asleep_count = 0;
    dpor->now.from = dpor->now.check = dpor->now.planned = dpor->now.below = 0;
    dpor->now.goal = (struct decision){.thread = NO_THREAD};
    dpor->now.anew = ++dpor->now.learned;
    dpor->now.estimate = (struct estimate){0};
    wakeup_clear(&dpor->now.wakeup);
}

/* The steps that have followed what waited below the goal, and what waits beside each of them. The last is
 * one that did nothing, or one after which the thread had to yield. */
static struct unfolded unfold(struct dpor *dpor, const struct trace *trace)
{
    const struct wakeup_node *nodes = dpor->now.wakeup.nodes;
    uint32_t step = dpor->now.planned - 1;
    if (dpor->now.goal.thread == NO_THREAD || step >= trace->count)
        return (struct unfolded){UINT32_MAX, UINT32_MAX};
    while (!is_idle(dpor, &trace->steps[step])) {
        uint32_t node = dpor->now.below;
        if (node == 0 || step + 1 > trace->count)
            return (struct unfolded){UINT32_MAX, UINT32_MAX};
        bool ran = ++step < trace->count;
        if (ran && trace->steps[step].thread != nodes[node].event.thread)
            return (struct unfolded){UINT32_MAX, step - 1};
        dpor->at[step].waiting = nodes[node].next;
        dpor->now.below = nodes[node].child;
        wakeup_cut(&dpor->now.wakeup, node);
        wakeup_free_path(&dpor->now.wakeup, node);
        if (!ran)
            return (struct unfolded){UINT32_MAX, UINT32_MAX};
    }
    return (struct unfolded){step, UINT32_MAX};
}

/* Each sequence of some trees that was not explored is added to what waits before a step. */
static void add_again(struct dpor *dpor, uint32_t step, uint32_t list)
{
    const struct wakeup_node *nodes = dpor->now.wakeup.nodes;
    uint32_t depth = 0;
    for (uint32_t node = list; node != 0;) {
        dpor->path[depth] = node;
        dpor->again[depth++] = nodes[node].event;
        if (nodes[node].child != 0) {
            node = nodes[node].child;
            continue;
        }
        memcpy(dpor->events, dpor->again, depth * sizeof *dpor->events);
        if (!sequence_is_explored(dpor, step, depth))
            wakeup_insert(&dpor->now.wakeup, &dpor->at[step].waiting, dpor->events, depth);
        node = 0;
        while (depth > 0 && node == 0)
            node = nodes[dpor->path[--depth]].next;
    }
    wakeup_free_trees(&dpor->now.wakeup, list);
}

/* What was to be done at a step did nothing: all that waits beside it and below it waits there. */
static void do_without(struct dpor *dpor, uint32_t step)
{
    uint32_t below = dpor->now.below, beside = dpor->at[step].waiting;
    dpor->at[step].waiting = 0;
    add_again(dpor, step, below);
    add_again(dpor, step, beside);
}

/* What was to be done at a step did something: what waits below it can be run. */
static void do_again(struct dpor *dpor, uint32_t step)
{
    wakeup_push(&dpor->now.wakeup, &dpor->at[step].waiting, &dpor->taken[step]);
    dpor->now.wakeup.nodes[dpor->at[step].waiting].child = dpor->now.below;
}

static uint32_t list_length(const struct wakeup *wakeup, uint32_t list)
{
    uint32_t length = 0;
    for (; list != 0; list = wakeup->nodes[list].next)
        length++;
    return length;
}

/* The part of the tree that was explored, in units of 2^-64, if all branches of a step have equal shares:
 * those that are known. There may be more. */
static uint64_t share_done(const struct dpor *dpor)
{
    uint64_t done_before = 0, here = UINT64_MAX;
    for (uint32_t i = 0; i < dpor->now.level_count; i++) {
        const struct lists *lists = &dpor->plans[dpor->now.plan].levels[i].lists;
        uint32_t done = list_length(&dpor->now.wakeup, lists->done);
        here /= 1 + done + list_length(&dpor->now.wakeup, lists->waiting);
        done_before += here * done;
    }
    return done_before;
}

static void look_ahead(struct dpor *dpor)
{
    uint64_t next = dpor->now.learned - dpor->now.anew + 1;
    if (dpor->now.task > 0 || dpor->now.ended || !shares_are_due(next))
        return;
    dpor->now.estimate.kind = ESTIMATE_GROWING;
    shares_note(&dpor->now.estimate, next, share_done(dpor));
}

static void dpor_learn(void *state, const struct trace *trace)
{
    struct dpor *dpor = state;
    journal_save(dpor->journal, &dpor->now, sizeof dpor->now);
    if (trace->outcome == OUTCOME_DIVERGED || trace->count + 1 < dpor->now.planned) {
        dpor->now.diverged = dpor->now.ended = true;
        return;
    }
    uint32_t same = begin_learning(dpor);
    bool fails = trace->outcome == OUTCOME_FAILED && !dpor->now.fails;
    bool wider = !dpor->shared && learn_wide(dpor, trace, same);
    if (wider || (dpor->order.forgets && (learn_sites(dpor, trace, same) || fails))) {
        dpor->now.fails |= fails;
        begin_anew(dpor);
        return;
    }
    load_taken(dpor, trace, same);
    dpor->order.chooses = dpor->now.chooses;
    dpor->order.sites = dpor->now.sites;
    dpor->order.wide = dpor->now.wide;
    load_levels(dpor, trace, same);
    struct unfolded unfolded = unfold(dpor, trace);
    uint32_t idle = unfolded.idle, again = unfolded.again;
    find_sleepers(dpor, trace, same);
    if (idle != UINT32_MAX)
        do_without(dpor, idle);
    if (again != UINT32_MAX)
        do_again(dpor, again);
    dpor->now.below = 0;
    order_learn(&dpor->order, trace, dpor->taken, same, dpor->now.from);
    for (uint32_t i = 0; i < dpor->order.reversal_count; i++)
        add_reversal(dpor, trace, &dpor->order.reversals[i]);
    dpor->now.overflow |= dpor->order.overflow;
    dpor_note_root(dpor, trace);
    bool unseen = idle != UINT32_MAX && dpor->at[idle].done == 0 && dpor->at[idle].waiting == 0;
    uint32_t step = again != UINT32_MAX ? again : unseen ? idle : deepest_waiting(dpor, trace);
    if (step == UINT32_MAX)
        dpor->now.ended = true;
    else
        branch(dpor, trace, step, again != UINT32_MAX);
    dpor->now.learned++;
    look_ahead(dpor);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    dpor->held = dpor->now.learned;
}

static struct progress dpor_progress(const void *state)
{
    const struct dpor *dpor = state;
    bool lost = dpor->now.diverged || dpor->now.overflow;
    return (struct progress){
        .claim = lost ? CLAIM_NOTHING : CLAIM_ALL_CLASSES,
        .complete = dpor->now.ended && !lost,
        .bound = NO_BOUND,
        .anew = dpor->now.anew,
        .tree_bytes = (uint64_t)dpor->now.wakeup.in_use_max * sizeof(struct wakeup_node),
        .estimate = dpor->now.estimate,
    };
}

const struct strategy strategy_dpor = {
    .name = "dpor",
    .summary = "one execution for each class of interleavings",
    .symmetric = true,
    .state_size = sizeof(struct dpor),
    .reduces = true,
    .reduces_strikes = true,
    .turns = TURNS_SKIPPED,
    .open = dpor_open,
    .plan = dpor_plan,
    .choose = dpor_choose,
    .learn = dpor_learn,
    .progress = dpor_progress,
    .crowned = true,
    .split = dpor_split,
    .adopt = dpor_adopt,
};
