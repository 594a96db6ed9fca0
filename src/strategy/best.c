/* Best-first search: every execution once, those that a priority puts first before the others
 * (GAMBIT: Coons, Burckhardt and Musuvathi 2010).
 *
 * An execution leaves behind all those that leave it, each in one of many stacks, by its priority;
 * the next is taken from the first stack that is not empty. So what has equal priority is run depth
 * first. With a bound, executions with more preemptions are left out.
 *
 * Over a reduced space an execution leaves behind only those in which a thread comes before a step that
 * it races with, or, if it could not run there, any other thread (Flanagan and Godefroid 2005, without sleep
 * sets). That may be in a part that it has in common with others, which see the same: so what waits, or
 * has been run, is remembered. Which executions there are does not depend on their order. */
#include <string.h>

#include "base/mix.h"
#include "strategy/alternative.h"
#include "strategy/cache.h"
#include "strategy/frontier.h"
#include "strategy/order.h"
#include "strategy/prospect.h"
#include "strategy/seen.h"
#include "strategy/strategy.h"

enum { TOUCHES_MOST = 4 }; /* of a step, on average */

struct bin {
    struct node_stack stack;
    uint64_t saved; /* in this transaction of the journal */
};

struct best {
    struct journal *journal;
    struct cache cache;
    struct prospect prospect;
    struct hierarchy hierarchy;
    int32_t bound_max; /* or NO_BOUND */
    uint32_t levels;
    uint64_t seed;
    struct bin *bins;           /* by level */
    struct decision *decisions; /* of the execution in hand */
    uint32_t steps_max;
    struct reduced { /* all of it only if the space is */
        bool is;
        struct order order;
        struct event *taken;   /* by step of the execution in hand */
        uint32_t *preemptions; /* … before it */
        uint64_t (*pasts)[2];  /* … a name of what came before it */
        thread_set *pushed;    /* … who waits there since this execution */
        struct seen *seen;     /* threads that wait or were run after a past */
    } reduced;
    struct {
        uint32_t running; /* the node in flight */
        uint32_t lowest;  /* levels below are empty */
        bool ended;
        bool beyond;   /* executions beyond the bound exist */
        bool diverged; /* the program went another way: what is left is unknown */
        bool overflow; /* more races than there is room for */
        struct frontier frontier;
    } now;
};

static void save(struct best *best)
{
    journal_save(best->journal, &best->now, sizeof best->now);
}

static struct node_stack *stack_at(struct best *best, uint32_t level)
{
    struct bin *bin = &best->bins[level];
    if (bin->saved != best->journal->begun) {
        journal_save(best->journal, bin, sizeof *bin);
        bin->saved = best->journal->begun;
    }
    return &bin->stack;
}

static void open_reduced(struct reduced *reduced, struct arena *arena, uint32_t steps)
{
    reduced->is = true;
    reduced->taken = arena_take(arena, steps * sizeof *reduced->taken);
    reduced->preemptions = arena_take(arena, (steps + 1) * sizeof *reduced->preemptions);
    reduced->pasts = arena_take(arena, (steps + 1) * sizeof *reduced->pasts);
    reduced->pushed = arena_take(arena, steps * sizeof *reduced->pushed);
    order_open(&reduced->order, arena, steps, steps * TOUCHES_MOST);
    reduced->seen = seen_open(arena, (arena->capacity - arena->used) / 2);
}

static void best_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    struct best *best = state;
    memset(best, 0, sizeof *best);
    best->journal = journal;
    best->hierarchy = options->hierarchy;
    best->bound_max = options->bound;
    best->seed = options->seed;
    best->steps_max = options->steps_max;
    best->levels = hierarchy_levels(&best->hierarchy);
    best->bins = arena_take(arena, best->levels * sizeof *best->bins);
    best->decisions = arena_take(arena, options->steps_max * sizeof *best->decisions);
    prospect_open(&best->prospect, arena, options->steps_max, &best->hierarchy, options->objects);
    cache_open(&best->cache, options, arena, journal);
    if (options->reduction == REDUCTION_CLASSIC)
        open_reduced(&best->reduced, arena, options->steps_max);
    frontier_open_empty(&best->now.frontier, arena, journal);
    frontier_adopt(&best->now.frontier, stack_at(best, 0), NULL, 0, 0);
}

static bool best_plan(void *state, struct schedule *next)
{
    struct best *best = state;
    save(best);
    if (best->now.frontier.waiting == 0 || best->now.diverged) {
        best->now.ended = true;
        return false;
    }
    while (best->bins[best->now.lowest].stack.count == 0) {
        best->now.lowest++;
        CHECK(best->now.lowest < best->levels);
    }
    best->now.running = frontier_pop(&best->now.frontier, stack_at(best, best->now.lowest));
    frontier_schedule(&best->now.frontier, best->now.running, next);
    return true;
}

/* What may still follow depends on the preemptions that are left, and on whom it costs one to leave. */
static struct decision best_choose_unseen(struct pilot *pilot, const struct choice_point *at)
{
    const struct best *best = pilot->state;
    uint64_t context = 0;
    if (best->bound_max != NO_BOUND) {
        struct trace past = {.steps = (struct step *)at->steps, .count = at->step};
        context = (uint64_t)trace_costs(&past).preemptions << 17 | (uint64_t)at->last << 1 |
                  at->last_gave_way;
    }
    return cache_choose(&best->cache, pilot, at, context);
}

static uint32_t first_own_step(const struct best *best)
{
    const struct node *node = &best->now.frontier.nodes[best->now.running];
    return node->parent == 0 ? 0 : (uint32_t)node->step + 1;
}

/* Whether it is a preemption to run another thread than the one before at a step. */
static bool leaving_costs(const struct trace *trace, uint32_t step)
{
    if (step == 0)
        return false;
    const struct step *before = &trace->steps[step - 1];
    return thread_set_has(&trace->steps[step].enabled, before->thread) &&
           !op_gives_way(before->op.kind);
}

static struct node_stack *stack_for(struct best *best, struct decision decision,
                                    uint32_t preemptions)
{
    if (best->bound_max != NO_BOUND && preemptions > (uint32_t)best->bound_max) {
        best->now.beyond = true;
        return NULL;
    }
    struct outlook outlook = prospect_of(&best->prospect, decision, preemptions, best->seed);
    uint32_t level = hierarchy_level(&best->hierarchy, &outlook);
    if (level < best->now.lowest)
        best->now.lowest = level;
    return stack_at(best, level);
}

static uint32_t push_child(struct best *best, const struct trace *trace, struct decision child,
                           uint32_t preemptions)
{
    struct node_stack *stack = stack_for(best, child, preemptions);
    if (stack == NULL)
        return 0;
    frontier_push_child(&best->now.frontier, stack, best->now.running, child,
                        trace->steps[child.step].fingerprint);
    return 1;
}

static uint32_t push_children(struct best *best, const struct trace *trace, uint32_t first)
{
    uint32_t children = 0, preemptions = 0;
    for (uint32_t step = 0; step < trace->count; step++) {
        const struct step *at = &trace->steps[step];
        uint32_t kept = preemptions;
        preemptions += trace_step_preempts(trace, step);
        if (step < first || at->alternatives == 1)
            continue;
        struct decision choice = next_choice(trace, step);
        if (choice.thread != NO_THREAD)
            children += push_child(best, trace, choice, preemptions);
        bool costs = leaving_costs(trace, step);
        thread_id last = step > 0 ? trace->steps[step - 1].thread : 0;
        THREADS_EACH(thread, &at->enabled)
            if (thread != at->thread)
                children += push_child(best, trace, (struct decision){step, thread, 0},
                                       kept + (costs && thread != last));
    }
    return children;
}

/* Where it left its parent, the operation may have another outcome. Other threads wait already. */
static void push_sibling(struct best *best, const struct trace *trace, uint32_t step)
{
    struct decision sibling = next_choice(trace, step);
    if (sibling.thread == NO_THREAD)
        return;
    struct trace past = {.steps = trace->steps, .count = step + 1};
    struct node_stack *stack = stack_for(best, sibling, trace_costs(&past).preemptions);
    if (stack != NULL)
        frontier_push_sibling(&best->now.frontier, stack, best->now.running, sibling,
                              trace->steps[step].fingerprint);
}

static void look_back(struct reduced *reduced, const struct trace *trace)
{
    uint64_t *past = reduced->pasts[0];
    past[0] = past[1] = reduced->preemptions[0] = 0;
    memset(reduced->pushed, 0, trace->count * sizeof *reduced->pushed);
    for (uint32_t step = 0; step < trace->count; step++) {
        uint64_t taken = (uint64_t)trace->steps[step].thread << 16 | trace->steps[step].choice;
        event_load(&reduced->taken[step], trace->steps, trace->touches, step);
        reduced->preemptions[step + 1] =
            reduced->preemptions[step] + trace_step_preempts(trace, step);
        uint64_t *next = reduced->pasts[step + 1];
        next[0] = mix_chain(past[0], taken + 1, MIX_FIRST);
        next[1] = mix_chain(past[1], taken + 1, MIX_SECOND);
        past = next;
    }
}

/* The execution that was the first to come by what lies before a step. */
static uint32_t owner_of(const struct best *best, uint32_t step)
{
    const struct node *nodes = best->now.frontier.nodes;
    uint32_t node = best->now.running;
    while (nodes[node].parent != 0 && nodes[node].step >= step)
        node = nodes[node].parent;
    return node;
}

/* The default thread was run by the owner. */
static uint32_t push_reversed(struct best *best, const struct trace *trace, uint32_t step,
                              thread_id thread)
{
    struct reduced *reduced = &best->reduced;
    uint64_t key[2] = {mix(reduced->pasts[step][0], thread), mix(reduced->pasts[step][1], thread)};
    if (thread == default_thread(trace, step) || thread == trace->steps[step].thread ||
        thread_set_has(&reduced->pushed[step], thread) ||
        !seen_add(reduced->seen, key, best->journal))
        return 0;
    thread_set_add(&reduced->pushed[step], thread);
    thread_id last = step > 0 ? trace->steps[step - 1].thread : 0;
    uint32_t preemptions =
        reduced->preemptions[step] + (leaving_costs(trace, step) && thread != last);
    struct decision decision = {step, thread, 0};
    uint32_t owner = owner_of(best, step);
    if (owner == best->now.running)
        return push_child(best, trace, decision, preemptions);
    frontier_push_below(&best->now.frontier, stack_for(best, decision, preemptions), owner,
                        decision, trace->steps[step].fingerprint);
    return 0;
}

static uint32_t push_outcomes(struct best *best, const struct trace *trace, uint32_t first)
{
    uint32_t children = 0;
    for (uint32_t step = first; step < trace->count; step++) {
        struct decision choice = next_choice(trace, step);
        if (trace->steps[step].alternatives > 1 && choice.thread != NO_THREAD)
            children += push_child(best, trace, choice, best->reduced.preemptions[step + 1]);
    }
    return children;
}

static uint32_t push_reduced(struct best *best, const struct trace *trace, uint32_t first)
{
    struct reduced *reduced = &best->reduced;
    look_back(reduced, trace);
    uint32_t children = push_outcomes(best, trace, first);
    order_clear(&reduced->order);
    order_learn(&reduced->order, trace, reduced->taken, 0, first > 0 ? first - 1 : 0);
    best->now.overflow |= reduced->order.overflow;
    seen_begin(reduced->seen, best->journal);
    for (uint32_t i = 0; i < reduced->order.reversal_count; i++) {
        const struct reversal *reversal = &reduced->order.reversals[i];
        const thread_set *enabled = &trace->steps[reversal->step].enabled;
        if (thread_set_has(enabled, reversal->event.thread)) {
            children += push_reversed(best, trace, reversal->step, reversal->event.thread);
            continue;
        }
        THREADS_EACH(thread, enabled)
            children += push_reversed(best, trace, reversal->step, thread);
    }
    return children;
}

static void best_learn(void *state, const struct trace *trace)
{
    struct best *best = state;
    uint32_t children = 0, first = first_own_step(best);
    save(best);
    cache_learn(&best->cache);
    if (trace->outcome == OUTCOME_DIVERGED || trace->count < first) {
        best->now.diverged = true;
    } else {
        struct schedule schedule = {.prefix = best->decisions,
                                    .prefix_capacity = best->steps_max};
        frontier_schedule(&best->now.frontier, best->now.running, &schedule);
        uint32_t from = first > 0 && !best->reduced.is ? first - 1 : 0;
        prospect_look(&best->prospect, trace, from, schedule.prefix, schedule.prefix_count);
        if (first > 0)
            push_sibling(best, trace, first - 1);
        children = best->reduced.is ? push_reduced(best, trace, first)
                                    : push_children(best, trace, first);
    }
    frontier_settle(&best->now.frontier, best->now.running, children);
}

static struct progress best_progress(const void *state)
{
    const struct best *best = state;
    enum claim_kind whole =
        cache_is_on(&best->cache) || best->reduced.is ? CLAIM_ALL_CLASSES : CLAIM_ALL;
    bool lost = best->now.diverged || best->now.overflow;
    return (struct progress){
        .claim = lost                ? CLAIM_NOTHING
                 : best->now.beyond ? CLAIM_WITHIN_BOUND
                                    : whole,
        .complete = best->now.ended && !lost,
        .bound = best->bound_max,
        .pending = best->now.frontier.waiting,
        .kept = best->now.frontier.nodes,
        .kept_bytes = best->now.frontier.used * sizeof(struct node),
    };
}

static bool best_reduces_now(const void *state)
{
    const struct best *best = state;
    return best->reduced.is;
}

const struct strategy strategy_best = {
    .name = "best",
    .summary = "every interleaving, what a priority puts first before the others",
    .bound_name = "preemptions",
    .reduces_now = best_reduces_now,
    .state_size = sizeof(struct best),
    .open = best_open,
    .plan = best_plan,
    .choose = choose_default,
    .choose_unseen = best_choose_unseen,
    .learn = best_learn,
    .progress = best_progress,
};
