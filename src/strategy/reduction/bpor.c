/* Bounded partial-order reduction: every equivalence class that has an execution with at most c
 * preemptions, then c + 1, … (after Coons, Musuvathi and McKinley 2013, changed so that it loses no
 * class; docs/STRATEGIES.md has the proof).
 *
 * The current execution is a branch of a tree. At each of its steps some threads were explored and
 * some wait to be run. A step that depends on an earlier one of another thread could have come
 * before it. So its thread, or one that leads to it, must run where the earlier step ran. It must
 * also run where the thread of the earlier step began to run, since it may cost no preemption
 * there: these are the conservative points. What one step makes possible for another counts as a
 * dependence as well: leaving a disabled thread costs nothing. */
#include "strategy/reduction/bpor.h"
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/reduction/bpor_state.h"
#include "strategy/shares.h"

enum { TOUCHES_MOST = 4 }; /* average number of touches of a step */

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
    bpor->pending = arena_take(arena, THREADS_MAX * sizeof *bpor->pending);
    for (int i = 0; i < 2; i++) {
        bpor->plans[i].prefix = arena_take(arena, steps * sizeof(struct decision));
        bpor->plans[i].levels = arena_take(arena, (steps + 1) * sizeof(struct level));
        bpor->plans[i].asleep = arena_take(arena, SLEEPERS_MAX * sizeof(struct event));
        bpor->paces[i] = arena_take(arena, PACE_POINTS_MAX * sizeof(struct pace_point));
    }
    bpor->sleepers = arena_take(arena, SLEEPERS_MAX * sizeof *bpor->sleepers);
    bpor->resting = arena_take(arena, SLEEPERS_MAX * sizeof *bpor->resting);
    bpor->events = arena_take(arena, THREADS_MAX * sizeof *bpor->events);
    bpor->sent = arena_take(arena, RETURNS_SENT * sizeof *bpor->sent);
    bpor->now.ended = bpor->now.told_end = bpor->shared = options->shared;
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

/* The next decision to try at a step; NO_THREAD: none is left there. */
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
        bpor_put_to_sleep(bpor, trace, step);
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

/* Plans the deepest waiting alternative. If none is left, begins the next bound from the start;
 * with several workers the coordinator does so when all are through. */
static void advance(struct bpor *bpor, const struct trace *trace)
{
    for (uint32_t step = trace->count; step-- > bpor->now.floor;) {
        struct decision next = next_at(bpor, trace, step);
        if (next.thread != NO_THREAD) {
            branch(bpor, trace, next);
            return;
        }
        wakeup_free_list(&bpor->now.nodes, bpor->at[step].asleep);
    }
    bpor->now.prefix_count = bpor->now.level_count = bpor->now.asleep_count = 0;
    bpor->now.from = bpor->now.check = bpor->now.cost = 0;
    if (bpor->shared || !bpor->now.beyond || bpor->now.bound == bpor->bound_max) {
        bpor->now.ended = true;
        return;
    }
    bpor->now.pace[bpor->now.bound % 2].total = bpor->now.learned + 1 - bpor->now.first;
    bpor->now.bound++;
    bpor->now.pace[bpor->now.bound % 2] = (struct pace){0};
    bpor->now.beyond = false;
    bpor->now.first = bpor->now.learned + 1;
    bpor->now.estimate = (struct estimate){0};
}

/* The number of steps shared with the trace learnt before, for which all results are still there.
 * It is 0 if a worker died before it had learnt that trace to the end. */
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

/* The explored part of the tree below the floor, as share_done() of dpor.c. */
static uint64_t share_done(const struct bpor *bpor)
{
    uint64_t done_before = 0, here = UINT64_MAX;
    for (uint32_t i = 0; i < bpor->now.level_count; i++) {
        const struct level *level = &bpor->plans[bpor->now.plan].levels[i];
        const struct sets *sets = &level->sets;
        if (level->step < bpor->now.floor)
            continue;
        uint32_t done = thread_set_count(&sets->done);
        here /= 1 + done + thread_set_count(&sets->waiting);
        done_before += here * done;
    }
    return done_before;
}

/* Updates the estimate. From the second bound on, the share is compared with how it grew at the
 * bound before. With several workers that bound has no total, since each worker ran only a part of
 * it. */
static void look_ahead(struct bpor *bpor)
{
    uint64_t next = bpor->now.learned - bpor->now.first + 1;
    uint32_t here = (uint32_t)bpor->now.bound % 2, before = 1 - here;
    if (bpor->now.ended || !pace_is_due(next))
        return;
    uint64_t share = share_done(bpor);
    pace_note(&bpor->now.pace[here], bpor->paces[here], next, share);
    bool known = bpor->now.pace[before].total > 0;
    if (known)
        share = pace_part(&bpor->now.pace[before], bpor->paces[before], next - 1, share);
    bpor->now.estimate.kind = known ? ESTIMATE_SHARES : ESTIMATE_GROWING;
    shares_note(&bpor->now.estimate, next, share);
}

static void bpor_learn(void *state, const struct trace *trace)
{
    struct bpor *bpor = state;
    journal_save(bpor->journal, &bpor->now, sizeof bpor->now);
    if (trace->outcome == OUTCOME_DIVERGED ||
        (bpor->now.from > 0 && trace->count <= bpor->now.from)) {
        bpor->now.diverged = bpor->now.ended = true;
        return;
    }
    uint32_t same = begin_learning(bpor);
    load(bpor, trace, same);
    order_learn(&bpor->order, trace, bpor->taken, same, trace->count);
    bpor_find_sleepers(bpor, trace, same);
    bpor_note_runs(bpor, trace, bpor->now.from);
    bpor_look(bpor, trace, bpor->now.from);
    bpor->now.beyond |= bpor->flight.beyond == bpor->now.learned + 1;
    bpor_note_root(bpor, trace);
    bpor->now.adopted = false;
    advance(bpor, trace);
    bpor->now.learned++;
    look_ahead(bpor);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bpor->held = bpor->now.learned;
}

static struct progress bpor_progress(const void *state)
{
    const struct bpor *bpor = state;
    bool all = bpor->now.ended && !bpor->now.beyond, wrong = bpor->now.diverged || bpor->now.lost;
    return (struct progress){
        /* The crown knows whether something costs more. */
        .claim = wrong                 ? CLAIM_NOTHING
                 : all || bpor->shared ? CLAIM_ALL_CLASSES
                                       : CLAIM_WITHIN_BOUND,
        .complete = bpor->now.ended && !wrong,
        .bound = bpor->now.bound,
        .estimate = bpor->now.estimate,
    };
}

const struct strategy strategy_bpor = {
    .name = "bpor",
    .summary = "one execution or few for each class with 0 preemptions, then 1, 2, …",
    .traits.bound_name = "preemptions",
    .state_size = sizeof(struct bpor),
    .traits.reduces = true,
    .traits.reduces_strikes = true,
    .traits.turns = TURNS_READ,
    .open = bpor_open,
    .plan = bpor_plan,
    .choose = bpor_choose,
    .learn = bpor_learn,
    .progress = bpor_progress,
    .sharing.crown = CROWN_OF_THREADS,
    .sharing.split = bpor_split,
    .sharing.adopt = bpor_adopt,
};
