/* Dynamic partial-order reduction: one execution for each equivalence class of interleavings.
 *
 * optimal  source sets, sleep sets and wake-up trees (Abdulla, Aronis, Jonsson and Sagonas 2017)
 * source   source sets and sleep sets: some executions are cut
 * classic  persistent sets found on the way, and sleep sets (Flanagan and Godefroid 2005; Inspect,
 *          Yang et al. 2008, whose locksets follow from the clocks: one lock orders what it guards)
 *
 * The current execution is a branch of a tree. At each of its steps some alternatives were
 * explored, and some wait to be run. An explored alternative sleeps until a step that depends on
 * it. An execution shows which of its steps could have come in another order (order.h); that order
 * is added where the two orders part. Then the deepest waiting alternative is run. */
#include "strategy/reduction/dpor.h"

#include <string.h>

#include "strategy/shares.h"

enum { TOUCHES_MOST = 4 }; /* average number of touches of a step */

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
    dpor->checks = arena_take(arena, (steps + 1) * sizeof *dpor->checks);
    dpor->sent = arena_take(arena, RETURNS_SENT * sizeof *dpor->sent);
    dpor->now.goal.thread = NO_THREAD;
    dpor->now.fails = options->fails;
    for (uint32_t i = 0; i < options->site_count; i++)
        if (options->sites[i] & SITE_WIDE)
            sites_add(&dpor->seen.wide, options->sites[i] & ~SITE_WIDE);
    dpor->now.ended = dpor->now.told_end = dpor->shared = options->shared;
    order_open(&dpor->order, arena, options->steps_max, options->steps_max * TOUCHES_MOST);
    dpor->order.forgets = options->reduction == REDUCTION_OPTIMAL && !options->shared;
    dpor->order.sites = &dpor->seen.sites;
    dpor->order.wide = &dpor->seen.wide;
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

/* Loads the events of the new steps. Returns all flags (enum step_flag) that some of them have. */
static uint32_t load_taken(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    uint32_t flags = 0, chooses = 0;
    for (uint32_t step = same; step < trace->count; step++) {
        event_load(&dpor->taken[step], trace->steps, trace->touches, step);
        chooses |= dpor->taken[step].footprint.chooses;
        flags |= trace->steps[step].flags;
    }
    dpor->now.chooses |= (uint8_t)chooses;
    return flags;
}

/* The number of steps shared with the trace learnt before, for which all results are still there.
 * It is 0 if a worker died before it had learnt that trace to the end. */
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

/* Notes the sites where a loop had its first futile iteration. What may be such an iteration is not
 * taken for a step of its own any more, so the search restarts. */
static bool learn_sites(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    struct sites *sites = &dpor->seen.sites;
    uint32_t count = sites->count;
    journal_save(dpor->journal, sites, sizeof *sites);
    for (uint32_t step = same; step < trace->count; step++) {
        const struct step *at = &trace->steps[step];
        if (dpor_is_idle(dpor, at) && !op_gives_way(at->op.kind) && !sites_have(sites, at->op.site))
            sites_add(sites, at->op.site);
    }
    return sites->count > count;
}

/* Notes sites of new steps (from `same` on) that depend on all steps of other threads. */
static bool learn_wide(struct dpor *dpor, const struct trace *trace, uint32_t same)
{
    struct sites *wide = &dpor->seen.wide;
    uint32_t count = wide->count;
    journal_save(dpor->journal, wide, sizeof *wide);
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
    dpor->now.decided = 0;
    dpor->now.goal = (struct decision){.thread = NO_THREAD};
    dpor->now.anew = ++dpor->now.learned;
    dpor->now.estimate = (struct estimate){0};
    wakeup_clear(&dpor->now.wakeup);
}

static uint32_t list_length(const struct wakeup *wakeup, uint32_t list)
{
    uint32_t length = 0;
    for (; list != 0; list = wakeup->nodes[list].next)
        length++;
    return length;
}

/* The explored part of the tree below the floor, in units of 2^-64, if all branches of a step have
 * equal shares. Only known branches count; there may be more. */
static uint64_t share_done(const struct dpor *dpor)
{
    uint64_t done_before = 0, here = UINT64_MAX;
    for (uint32_t i = 0; i < dpor->now.level_count; i++) {
        const struct level *level = &dpor->plans[dpor->now.plan].levels[i];
        const struct lists *lists = &level->lists;
        if (level->step < dpor->now.floor)
            continue;
        uint32_t done = list_length(&dpor->now.wakeup, lists->done);
        here /= 1 + done + list_length(&dpor->now.wakeup, lists->waiting);
        done_before += here * done;
    }
    return done_before;
}

static void look_ahead(struct dpor *dpor)
{
    uint64_t next = dpor->now.learned - dpor->now.anew + 1;
    if (dpor->now.ended || !shares_are_due(next))
        return;
    dpor->now.estimate.kind = ESTIMATE_GROWING;
    shares_note(&dpor->now.estimate, next, share_done(dpor));
}

static void dpor_learn(void *state, const struct trace *trace)
{
    struct dpor *dpor = state;
    journal_save(dpor->journal, &dpor->now, sizeof dpor->now);
    bool too_short = trace->count + 1 < dpor->now.planned && !dpor_ends_for_good(trace);
    if (trace->outcome == OUTCOME_DIVERGED || too_short) {
        dpor->now.diverged = dpor->now.ended = true;
        return;
    }
    uint32_t same = begin_learning(dpor);
    uint32_t flags = load_taken(dpor, trace, same);
    bool hides =
        trace->outcome == OUTCOME_FAILED || (flags & STEP_ALL && trace_strikes(trace, same));
    bool fails = hides && !dpor->now.fails;
    bool wider = flags & STEP_ALL && !dpor->shared && learn_wide(dpor, trace, same);
    bool idle_site = flags & STEP_IDLES && dpor->order.forgets && learn_sites(dpor, trace, same);
    if (wider || idle_site || (dpor->order.forgets && fails)) {
        dpor->now.fails |= fails;
        begin_anew(dpor);
        return;
    }
    dpor->order.chooses = dpor->now.chooses;
    dpor_load_levels(dpor, trace, same);
    struct unfolded unfolded = dpor_unfold(dpor, trace);
    uint32_t idle = unfolded.idle, again = unfolded.again;
    dpor_find_sleepers(dpor, trace, same);
    if (idle != UINT32_MAX)
        dpor_do_without(dpor, idle);
    if (again != UINT32_MAX)
        dpor_do_again(dpor, again);
    dpor->now.below = 0;
    order_learn(&dpor->order, trace, dpor->taken, same, dpor->now.from);
    for (uint32_t i = 0; i < dpor->order.reversal_count; i++)
        dpor_add_reversal(dpor, trace, &dpor->order.reversals[i]);
    dpor->now.overflow |= dpor->order.overflow;
    dpor_note_root(dpor, trace);
    bool unseen = idle != UINT32_MAX && dpor->at[idle].done == 0 && dpor->at[idle].waiting == 0;
    uint32_t step = again != UINT32_MAX ? again : unseen ? idle : dpor_deepest_waiting(dpor, trace);
    if (step == UINT32_MAX)
        dpor->now.ended = true;
    else
        dpor_branch(dpor, trace, same, step, again != UINT32_MAX);
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
    .traits.symmetric = true,
    .state_size = sizeof(struct dpor),
    .traits.reduces = true,
    .traits.reduces_strikes = true,
    .traits.foresees = true,
    .traits.turns = TURNS_SKIPPED,
    .open = dpor_open,
    .plan = dpor_plan,
    .choose = dpor_choose,
    .learn = dpor_learn,
    .progress = dpor_progress,
    .sharing.crown = CROWN_OF_SEQUENCES,
    .sharing.begins_anew = true,
    .sharing.split = dpor_split,
    .sharing.adopt = dpor_adopt,
};
