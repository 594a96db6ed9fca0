/* Depth bounding: all interleavings of the first d decisions, each continued by default, for d = 0,
 * 1, 2, 4, … (the baseline of Musuvathi and Qadeer 2007), none of them twice.
 *
 * An execution belongs to the depth of the last decision in which it leaves the default. Decisions
 * fall into windows, each as wide as all before it. For each window an execution leaves behind a
 * chain of alternatives, of which only the deepest link waits to be run. */
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/bounded/parts.h"
#include "strategy/bounded/pile.h"
#include "strategy/stateful/cache.h"
#include "strategy/strategy.h"

extern const struct strategy strategy_depth;

enum { WINDOWS = 22 };

struct depth {
    struct journal *journal;
    struct cache cache;
    int32_t bound_max; /* last bound to search, or NO_BOUND */
    /* Decisions of the current execution, with room for one more; not kept over executions. */
    struct decision *decisions;
    uint32_t count; /* number of these decisions; not kept over executions */
    struct chunks chunks;
    struct pile piles[WINDOWS], spare; /* one pile for each window */
    bool shared;
    struct {
        uint32_t window;          /* window of the executions that are run now */
        bool running;             /* the top of this window's pile is in flight */
        bool beyond;              /* decisions beyond the last bound exist */
        bool diverged;            /* the program took another way: what is left is unknown */
        uint64_t waiting;         /* executions on all piles, with the one in flight */
        struct estimate estimate; /* estimate of what is left of this bound */
    } now;
};

/* Number of the last decision of a window. Decisions are counted from 1; window 0 has none. */
static uint32_t window_end(const struct depth *depth, uint32_t window)
{
    uint32_t end = window == 0 ? 0 : 1u << (window - 1);
    bool further = depth->bound_max != NO_BOUND && end > (uint32_t)depth->bound_max;
    return further ? (uint32_t)depth->bound_max : end;
}

static void save(struct depth *depth)
{
    journal_save(depth->journal, &depth->now, sizeof depth->now);
}

static void push(struct depth *depth, uint32_t window, const struct decision *decisions,
                 uint32_t count, uint64_t check)
{
    uint64_t lost = depth->chunks.now.lost;
    pile_push(&depth->piles[window], decisions, count, check);
    depth->now.waiting += depth->chunks.now.lost == lost;
}

static void depth_open(void *state, const struct strategy_options *options, struct arena *arena,
                       struct journal *journal)
{
    struct depth *depth = state;
    memset(depth, 0, sizeof *depth);
    depth->journal = journal;
    depth->bound_max = options->bound;
    cache_open(&depth->cache, options, arena, journal);
    depth->shared = options->shared;
    depth->decisions = arena_take(arena, (options->steps_max + 1) * sizeof *depth->decisions);
    for (uint32_t i = 0; i < WINDOWS; i++)
        pile_open(&depth->piles[i], arena, options->steps_max, &depth->chunks, i);
    pile_open(&depth->spare, arena, options->steps_max, &depth->chunks, WINDOWS);
    chunks_open(&depth->chunks, arena, WINDOWS + 1, journal);
    if (!depth->shared) {
        push(depth, 0, NULL, 0, 0);
        depth->now.estimate = parts_open(1);
    }
}

static void depth_rise(void *state)
{
    struct depth *depth = state;
    save(depth);
    depth->now.window++;
    CHECK(depth->now.window < WINDOWS);
    depth->now.estimate = parts_open(pile_count(&depth->piles[depth->now.window]));
}

static bool depth_plan(void *state, struct schedule *next)
{
    struct depth *depth = state;
    save(depth);
    while (pile_count(&depth->piles[depth->now.window]) == 0 && depth->now.waiting > 0 &&
           !depth->shared)
        depth_rise(depth);
    const struct pile *pile = &depth->piles[depth->now.window];
    depth->now.running = pile_count(pile) > 0;
    if (!depth->now.running)
        return false;
    parts_next(&depth->now.estimate, pile_count(pile) - 1);
    pile_peek(pile, next);
    return true;
}

/* The steps after an execution's last deviation depend on the thread that ran last; the
 * alternatives there depend on the depth. */
static struct decision depth_choose_unseen(struct pilot *pilot, const struct choice_point *at)
{
    const struct depth *depth = pilot->state;
    uint64_t decisions = 0;
    for (uint32_t step = 0; step < at->step; step++)
        decisions += at->steps[step].alternatives > 1;
    return cache_choose(&depth->cache, pilot, at,
                        decisions << 16 | (uint64_t)at->last << 1 | at->last_gave_way);
}

/* The step after the last of `count` decisions. */
static uint32_t first_own_step(const struct depth *depth, uint32_t count)
{
    return count == 0 ? 0 : depth->decisions[count - 1].step + 1;
}

/* Pushes the execution that shares so many decisions with the current one and then takes this
 * one. */
static void push_after(struct depth *depth, const struct trace *trace, uint32_t window,
                       uint32_t shared, struct decision last)
{
    struct decision own = depth->decisions[shared];
    depth->decisions[shared] = last;
    push(depth, window, depth->decisions, shared + 1, trace->steps[last.step].fingerprint);
    depth->decisions[shared] = own;
}

static uint32_t decisions_before(const struct trace *trace, uint32_t step)
{
    uint32_t decisions = 0;
    for (uint32_t i = 0; i < step; i++)
        decisions += trace->steps[i].alternatives > 1;
    return decisions;
}

static void push_sibling(struct depth *depth, const struct trace *trace)
{
    uint32_t shared = depth->count - 1;
    uint32_t step = depth->decisions[shared].step, first = first_own_step(depth, shared);
    uint32_t number = decisions_before(trace, step) + 1;
    uint32_t least = window_end(depth, depth->now.window - 1) + 1;
    struct decision sibling = next_alternative(trace, step);
    while (sibling.thread == NO_THREAD && step > first) {
        step--;
        if (trace->steps[step].alternatives == 1)
            continue;
        if (--number < least)
            return;
        sibling = next_alternative(trace, step);
    }
    if (sibling.thread != NO_THREAD)
        push_after(depth, trace, depth->now.window, shared, sibling);
}

/* Pushes the deepest alternative in each window after the step at which the execution left its
 * parent. */
static void push_children(struct depth *depth, const struct trace *trace)
{
    uint32_t first = first_own_step(depth, depth->count);
    uint32_t number = decisions_before(trace, first), window = depth->now.window;
    uint32_t deepest = trace->count; /* none yet */
    for (uint32_t step = first; step <= trace->count; step++) {
        bool decides = step < trace->count && trace->steps[step].alternatives > 1;
        if (step < trace->count && !decides)
            continue;
        number += decides;
        while (step == trace->count || number > window_end(depth, window)) {
            if (deepest < trace->count) {
                push_after(depth, trace, window, depth->count, next_alternative(trace, deepest));
                deepest = trace->count;
            }
            if (step == trace->count)
                return;
            if (number > (uint32_t)depth->bound_max && depth->bound_max != NO_BOUND) {
                depth->now.beyond = true;
                return;
            }
            window++;
            CHECK(window < WINDOWS);
        }
        deepest = step;
    }
}

static void depth_learn(void *state, const struct trace *trace)
{
    struct depth *depth = state;
    struct pile *pile = &depth->piles[depth->now.window];
    depth->count = pile_read(pile, depth->decisions);
    save(depth);
    cache_learn(&depth->cache);
    pile_pop(pile);
    depth->now.waiting--;
    depth->now.running = false;
    if (trace->outcome == OUTCOME_DIVERGED || trace->count < first_own_step(depth, depth->count)) {
        depth->now.diverged = true;
        return;
    }
    if (depth->count > 0)
        push_sibling(depth, trace);
    push_children(depth, trace);
}

static bool depth_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct depth *depth = state;
    struct pile *pile = &depth->piles[depth->now.window];
    uint64_t count = pile_count(pile);
    save(depth);
    bool given = pile_split(pile, &depth->spare, strategy_whole(&strategy_depth, 0),
                            (int32_t)window_end(depth, depth->now.window), out);
    depth->now.waiting -= count - pile_count(pile);
    parts_give(&depth->now.estimate, count, pile_count(pile));
    return given;
}

static bool depth_adopt(void *state, const struct subtree *subtree)
{
    struct depth *depth = state;
    if (subtree->bound != (int32_t)window_end(depth, depth->now.window))
        return false;
    save(depth);
    parts_adopt(&depth->now.estimate);
    push(depth, depth->now.window, subtree->prefix, subtree->prefix_count, subtree->check);
    return true;
}

static void depth_full(void *state)
{
    struct depth *depth = state;
    chunks_are_full(&depth->chunks);
}

static struct progress depth_progress(const void *state)
{
    const struct depth *depth = state;
    bool ended = depth->now.waiting == 0;
    bool all = ended && !depth->now.beyond;
    enum claim_kind whole = cache_is_on(&depth->cache) ? CLAIM_ALL_CLASSES : CLAIM_ALL;
    return (struct progress){
        .claim = depth->now.diverged ? CLAIM_NOTHING
                 : all               ? whole
                                     : CLAIM_WITHIN_BOUND,
        .complete = ended && !depth->now.diverged,
        .bound = (int32_t)window_end(depth, depth->now.window),
        .pending = depth->now.waiting - depth->now.running,
        .kept = depth->chunks.all + 1,
        .kept_bytes = chunks_bytes(&depth->chunks),
        .lost = depth->chunks.now.lost,
        .estimate = depth->now.estimate,
    };
}

const struct strategy strategy_depth = {
    .name = "depth",
    .summary = "all interleavings of the first 1, 2, 4, … decisions, then the default order",
    .traits.bound_name = "decisions",
    .traits.bound_is_depth = true,
    .state_size = sizeof(struct depth),
    .open = depth_open,
    .plan = depth_plan,
    .choose = choose_default,
    .choose_unseen = depth_choose_unseen,
    .learn = depth_learn,
    .progress = depth_progress,
    .full = depth_full,
    .sharing.split = depth_split,
    .sharing.adopt = depth_adopt,
    .sharing.rise = depth_rise,
};
