/* Depth bounding: all interleavings of the first d decisions, each continued by default, for d = 0,
 * 1, 2, 4, … (the baseline of Musuvathi and Qadeer 2007), none of them twice.
 *
 * An execution belongs to the depth of the last decision in which it leaves the default. Decisions
 * fall into windows, each as wide as all before it; what an execution leaves behind is, for each
 * window, a chain of which only the deepest link waits to be run. */
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/cache.h"
#include "strategy/frontier.h"
#include "strategy/parts.h"
#include "strategy/strategy.h"

extern const struct strategy strategy_depth;

enum { WINDOWS = STACKS_MAX };

struct depth {
    struct journal *journal;
    struct cache cache;
    int32_t bound_max; /* or NO_BOUND */
    uint32_t running;  /* the node in flight */
    uint32_t window;   /* its window, which is its stack */
    bool shared;
    bool beyond;              /* there are decisions beyond the last bound */
    bool diverged;            /* the program went another way: what is left is unknown */
    struct estimate estimate; /* of this bound */
    struct frontier frontier;
};

/* The last decision of a window; they are counted from 1, and window 0 has none. */
static uint32_t window_end(const struct depth *depth, uint32_t window)
{
    uint32_t end = window == 0 ? 0 : 1u << (window - 1);
    bool further = depth->bound_max != NO_BOUND && end > (uint32_t)depth->bound_max;
    return further ? (uint32_t)depth->bound_max : end;
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
    if (depth->shared) {
        frontier_open_empty(&depth->frontier, arena, journal);
    } else {
        frontier_open(&depth->frontier, arena, journal);
        depth->estimate = parts_open(1);
    }
}

static void depth_rise(void *state)
{
    struct depth *depth = state;
    journal_save(depth->journal, depth, sizeof *depth);
    depth->window++;
    CHECK(depth->window < WINDOWS);
}

static bool depth_plan(void *state, struct schedule *next)
{
    struct depth *depth = state;
    struct frontier *frontier = &depth->frontier;
    journal_save(depth->journal, depth, sizeof *depth);
    while (frontier->stacks[depth->window].count == 0 && frontier->waiting > 0 && !depth->shared) {
        depth_rise(depth);
        depth->estimate = parts_open(frontier->stacks[depth->window].count);
    }
    depth->running = frontier_pop(frontier, &frontier->stacks[depth->window]);
    if (depth->running == 0)
        return false;
    if (!depth->shared) /* others have taken parts */
        parts_next(&depth->estimate, frontier->stacks[depth->window].count);
    frontier_schedule(frontier, depth->running, next);
    return true;
}

/* What an execution does after its last deviation depends on who ran last, and what can still be
 * tried there on how deep that is. */
static struct decision depth_choose_unseen(struct pilot *pilot, const struct choice_point *at)
{
    const struct depth *depth = pilot->state;
    uint64_t decisions = 0;
    for (uint32_t step = 0; step < at->step; step++)
        decisions += at->steps[step].alternatives > 1;
    return cache_choose(&depth->cache, pilot, at,
                        decisions << 16 | (uint64_t)at->last << 1 | at->last_gave_way);
}

static uint32_t first_own_step(const struct depth *depth, uint32_t node)
{
    const struct node *at = &depth->frontier.nodes[node];
    return at->parent == 0 ? 0 : (uint32_t)at->step + 1;
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
    const struct node *node = &depth->frontier.nodes[depth->running];
    uint32_t step = (uint32_t)node->step, first = first_own_step(depth, node->parent);
    uint32_t number = decisions_before(trace, step) + 1;
    uint32_t least = window_end(depth, depth->window - 1) + 1;
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
        frontier_push_sibling(&depth->frontier, &depth->frontier.stacks[depth->window],
                              depth->running, sibling, trace->steps[sibling.step].fingerprint);
}

/* The deepest decision in each window after the step at which the execution left its parent. */
static uint32_t push_children(struct depth *depth, const struct trace *trace)
{
    uint32_t first = first_own_step(depth, depth->running);
    uint32_t number = decisions_before(trace, first), window = depth->window, children = 0;
    uint32_t deepest = trace->count; /* none */
    for (uint32_t step = first; step <= trace->count; step++) {
        bool decides = step < trace->count && trace->steps[step].alternatives > 1;
        if (step < trace->count && !decides)
            continue;
        number += decides;
        while (step == trace->count || number > window_end(depth, window)) {
            if (deepest < trace->count) {
                struct decision child = next_alternative(trace, deepest);
                frontier_push_child(&depth->frontier, &depth->frontier.stacks[window],
                                    depth->running, child, trace->steps[deepest].fingerprint);
                children++;
                deepest = trace->count;
            }
            if (step == trace->count)
                return children;
            if (number > (uint32_t)depth->bound_max && depth->bound_max != NO_BOUND) {
                depth->beyond = true;
                return children;
            }
            window++;
            CHECK(window < WINDOWS);
        }
        deepest = step;
    }
    return children;
}

static void depth_learn(void *state, const struct trace *trace)
{
    struct depth *depth = state;
    uint32_t children = 0;
    journal_save(depth->journal, depth, sizeof *depth);
    cache_learn(&depth->cache);
    if (trace->outcome == OUTCOME_DIVERGED ||
        trace->count < first_own_step(depth, depth->running)) {
        depth->diverged = true;
    } else {
        if (depth->frontier.nodes[depth->running].parent != 0)
            push_sibling(depth, trace);
        children = push_children(depth, trace);
    }
    frontier_settle(&depth->frontier, depth->running, children);
}

static bool depth_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct depth *depth = state;
    journal_save(depth->journal, depth, sizeof *depth);
    return frontier_split(&depth->frontier, &depth->frontier.stacks[depth->window],
                          strategy_whole(&strategy_depth, 0),
                          (int32_t)window_end(depth, depth->window), out);
}

static bool depth_adopt(void *state, const struct subtree *subtree)
{
    struct depth *depth = state;
    if (subtree->bound != (int32_t)window_end(depth, depth->window))
        return false;
    journal_save(depth->journal, depth, sizeof *depth);
    frontier_adopt(&depth->frontier, &depth->frontier.stacks[depth->window], subtree->prefix,
                   subtree->prefix_count, subtree->check);
    return true;
}

static struct progress depth_progress(const void *state)
{
    const struct depth *depth = state;
    bool ended = depth->running == 0 && depth->frontier.waiting == 0;
    bool all = ended && !depth->beyond;
    enum claim_kind whole = cache_is_on(&depth->cache) ? CLAIM_ALL_CLASSES : CLAIM_ALL;
    return (struct progress){
        .claim = depth->diverged ? CLAIM_NOTHING
                 : all           ? whole
                                 : CLAIM_WITHIN_BOUND,
        .complete = ended && !depth->diverged,
        .bound = (int32_t)window_end(depth, depth->window),
        .pending = depth->frontier.waiting,
        .kept = depth->frontier.nodes,
        .kept_bytes = depth->frontier.used * sizeof(struct node),
        .estimate = depth->estimate,
    };
}

const struct strategy strategy_depth = {
    .name = "depth",
    .summary = "all interleavings of the first 1, 2, 4, … decisions, then the default order",
    .bound_name = "decisions",
    .bound_is_depth = true,
    .state_size = sizeof(struct depth),
    .open = depth_open,
    .plan = depth_plan,
    .choose = choose_default,
    .choose_unseen = depth_choose_unseen,
    .learn = depth_learn,
    .progress = depth_progress,
    .split = depth_split,
    .adopt = depth_adopt,
    .rise = depth_rise,
};
