/* Best-first search: every execution once, those that a priority puts first before the others
 * (GAMBIT: Coons, Burckhardt and Musuvathi 2010).
 *
 * An execution leaves behind all those that leave it, each in one of many stacks, by its priority;
 * the next is taken from the first stack that is not empty. So what has equal priority is run depth
 * first. With a bound, executions with more preemptions are left out. */
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/cache.h"
#include "strategy/frontier.h"
#include "strategy/prospect.h"
#include "strategy/strategy.h"

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
    struct {
        uint32_t running; /* the node in flight */
        uint32_t lowest;  /* levels below are empty */
        bool ended;
        bool beyond;   /* executions beyond the bound exist */
        bool diverged; /* the program went another way: what is left is unknown */
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
    prospect_open(&best->prospect, arena, options->steps_max);
    cache_open(&best->cache, options, arena, journal);
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
        prospect_look(&best->prospect, trace, first > 0 ? first - 1 : 0, schedule.prefix,
                      schedule.prefix_count);
        if (first > 0)
            push_sibling(best, trace, first - 1);
        children = push_children(best, trace, first);
    }
    frontier_settle(&best->now.frontier, best->now.running, children);
}

static struct progress best_progress(const void *state)
{
    const struct best *best = state;
    enum claim_kind whole = cache_is_on(&best->cache) ? CLAIM_ALL_CLASSES : CLAIM_ALL;
    return (struct progress){
        .claim = best->now.diverged ? CLAIM_NOTHING
                 : best->now.beyond ? CLAIM_WITHIN_BOUND
                                    : whole,
        .complete = best->now.ended && !best->now.diverged,
        .bound = best->bound_max,
        .pending = best->now.frontier.waiting,
        .kept = best->now.frontier.nodes,
        .kept_bytes = best->now.frontier.used * sizeof(struct node),
    };
}

const struct strategy strategy_best = {
    .name = "best",
    .summary = "every interleaving, what a priority puts first before the others",
    .bound_name = "preemptions",
    .state_size = sizeof(struct best),
    .open = best_open,
    .plan = best_plan,
    .choose = choose_default,
    .choose_unseen = best_choose_unseen,
    .learn = best_learn,
    .progress = best_progress,
};
