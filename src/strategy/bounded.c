#include "strategy/bounded.h"

#include <string.h>

#include "strategy/alternative.h"

enum stack { THIS_BOUND, NEXT_BOUND, STACKS_USED };
enum chain { FREE, COSTING };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static void save(struct bounded *search)
{
    journal_save(search->journal, search, offsetof(struct bounded, frontier.stacks[STACKS_USED]));
}

void bounded_open(void *state, const struct strategy_options *options, struct arena *arena,
                  struct journal *journal)
{
    struct bounded *search = state;
    memset(search, 0, sizeof *search);
    search->journal = journal;
    search->bound_max = options->bound;
    cache_open(&search->cache, options, arena, journal);
    search->shared = options->shared;
    if (search->shared) {
        frontier_open_empty(&search->frontier, arena, journal);
    } else {
        frontier_open(&search->frontier, arena, journal);
        search->estimate = parts_open(1);
    }
}

void bounded_rise(void *state)
{
    struct bounded *search = state;
    save(search);
    frontier_swap(&search->frontier);
    search->bound++;
}

bool bounded_plan(void *state, struct schedule *next)
{
    struct bounded *search = state;
    struct frontier *frontier = &search->frontier;
    save(search);
    search->running = frontier_pop(frontier, &frontier->stacks[THIS_BOUND]);
    if (search->running == 0 && frontier->waiting > 0 && !search->shared) {
        bounded_rise(search);
        search->estimate = parts_open(frontier->stacks[THIS_BOUND].count);
        search->running = frontier_pop(frontier, &frontier->stacks[THIS_BOUND]);
    }
    if (search->running == 0)
        return false;
    if (!search->shared) /* others have taken parts */
        parts_next(&search->estimate, frontier->stacks[THIS_BOUND].count);
    frontier_schedule(frontier, search->running, next);
    return true;
}

/* The rest of an execution costs the same after the same past if the same thread ran last. */
struct decision bounded_choose_unseen(struct pilot *pilot, const struct choice_point *at)
{
    const struct bounded *search = pilot->state;
    return cache_choose(&search->cache, pilot, at, (uint64_t)at->last << 1 | at->last_gave_way);
}

/* Whether it costs one to run a thread other than the default one at this step. */
ALWAYS_INLINE bool leaving_costs(const struct trace *trace, uint32_t step, enum cost cost)
{
    if (cost == COST_DELAYS)
        return true;
    if (step == 0)
        return false;
    const struct step *before = &trace->steps[step - 1];
    return thread_set_has(&trace->steps[step].enabled, before->thread) &&
           !op_gives_way(before->op.kind);
}

/* The deepest link of the chain at a step in first..last - 1, where all was done by default. */
ALWAYS_INLINE struct decision deepest_link(const struct trace *trace, uint32_t first, uint32_t last,
                                           enum chain chain, enum cost cost)
{
    for (uint32_t step = last; step-- > first;) {
        if (trace->steps[step].alternatives == 1)
            continue;
        bool costs = leaving_costs(trace, step, cost);
        if (chain == COSTING && !costs)
            continue;
        struct decision link = chain == COSTING ? next_thread(trace, step)
                               : costs          ? next_choice(trace, step)
                                                : next_alternative(trace, step);
        if (link.thread != NO_THREAD)
            return link;
    }
    return no_alternative();
}

static bool within(struct bounded *search, enum stack stack)
{
    if (stack == THIS_BOUND || search->bound != search->bound_max)
        return true;
    search->beyond = true;
    return false;
}

static void push_sibling(struct bounded *search, const struct trace *trace, enum stack stack,
                         struct decision sibling)
{
    if (sibling.thread != NO_THREAD && within(search, stack))
        frontier_push_sibling(&search->frontier, &search->frontier.stacks[stack],
                              search->running, sibling, trace->steps[sibling.step].fingerprint);
}

static bool push_child(struct bounded *search, const struct trace *trace, enum stack stack,
                       struct decision child)
{
    if (child.thread == NO_THREAD || !within(search, stack))
        return false;
    frontier_push_child(&search->frontier, &search->frontier.stacks[stack], search->running,
                        child, trace->steps[child.step].fingerprint);
    return true;
}

static uint32_t first_own_step(const struct bounded *search, uint32_t node)
{
    const struct node *at = &search->frontier.nodes[node];
    return at->parent == 0 ? 0 : (uint32_t)at->step + 1;
}

/* What comes after the link that the execution took: at its own step, then before it. */
ALWAYS_INLINE void push_siblings(struct bounded *search, const struct trace *trace, enum cost cost)
{
    const struct node *node = &search->frontier.nodes[search->running];
    uint32_t first = first_own_step(search, node->parent), step = (uint32_t)node->step;
    struct decision sibling = next_choice(trace, step);
    if (sibling.thread != NO_THREAD) {
        push_sibling(search, trace, THIS_BOUND, sibling);
        return;
    }
    const struct step *at = &trace->steps[step];
    thread_id by_default = default_thread(trace, step);
    bool left = at->thread != by_default, costs = leaving_costs(trace, step, cost);
    if (left || !costs) {
        sibling = next_thread(trace, step);
        bool dearer = cost == COST_DELAYS;
        push_sibling(search, trace, dearer ? NEXT_BOUND : THIS_BOUND, sibling);
        if (sibling.thread != NO_THREAD && !dearer)
            return;
    }
    if (!left || !costs)
        sibling = deepest_link(trace, first, step, FREE, cost);
    else if (cost == COST_PREEMPTIONS ||
             at->thread == thread_set_next_around(&at->enabled, by_default + 1u))
        sibling = deepest_link(trace, first, step, COSTING, cost);
    else
        return; /* the first thread after the default one has gone on with the chain */
    push_sibling(search, trace, THIS_BOUND, sibling);
}

ALWAYS_INLINE void learn(struct bounded *search, const struct trace *trace, enum cost cost)
{
    uint32_t node = search->running, children = 0;
    uint32_t first = first_own_step(search, node);
    save(search);
    cache_learn(&search->cache);
    if (trace->outcome == OUTCOME_DIVERGED || trace->count < first) {
        search->diverged = true;
    } else {
        if (search->frontier.nodes[node].parent != 0)
            push_siblings(search, trace, cost);
        children += push_child(search, trace, NEXT_BOUND,
                               deepest_link(trace, first, trace->count, COSTING, cost));
        children += push_child(search, trace, THIS_BOUND,
                               deepest_link(trace, first, trace->count, FREE, cost));
    }
    frontier_settle(&search->frontier, node, children);
}

void bounded_learn_preemptions(void *state, const struct trace *trace)
{
    learn(state, trace, COST_PREEMPTIONS);
}

void bounded_learn_delays(void *state, const struct trace *trace)
{
    learn(state, trace, COST_DELAYS);
}

bool bounded_split(struct bounded *search, const struct strategy *strategy, struct parcel *out)
{
    save(search);
    return frontier_split(&search->frontier, &search->frontier.stacks[THIS_BOUND],
                          strategy_whole(strategy, 0), search->bound, out);
}

bool bounded_adopt(void *state, const struct subtree *subtree)
{
    struct bounded *search = state;
    if (subtree->bound != search->bound)
        return false;
    save(search);
    frontier_adopt(&search->frontier, &search->frontier.stacks[THIS_BOUND], subtree->prefix,
                   subtree->prefix_count, subtree->check);
    return true;
}

struct progress bounded_progress(const void *state)
{
    const struct bounded *search = state;
    bool ended = search->running == 0 && search->frontier.waiting == 0;
    bool all = ended && !search->beyond;
    enum claim_kind whole = cache_is_on(&search->cache) ? CLAIM_ALL_CLASSES : CLAIM_ALL;
    return (struct progress){
        .claim = search->diverged ? CLAIM_NOTHING
                 : all            ? whole
                                  : CLAIM_WITHIN_BOUND,
        .complete = ended && !search->diverged,
        .bound = search->bound,
        .pending = search->frontier.waiting,
        .kept = search->frontier.nodes,
        .kept_bytes = search->frontier.used * sizeof(struct node),
        .estimate = search->estimate,
    };
}
