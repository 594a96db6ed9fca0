/* Iterative context bounding: all executions with c preemptions before any with c + 1 (Musuvathi
 * and Qadeer 2007), none of them twice.
 *
 * What can be done differently after the step at which an execution left its parent's falls into
 * two chains: what costs a preemption, and what does not. Only the deepest link of a chain waits to
 * be run; its trace shows the link before it. So an execution leaves at most two nodes behind,
 * however long it is, and at the last bound the search needs no more memory than depth-first
 * search. */
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/frontier.h"
#include "strategy/strategy.h"

enum stack { THIS_BOUND, NEXT_BOUND };
enum chain { FREE, PREEMPTING };

extern const struct strategy strategy_preempt;

struct preempt {
    struct journal *journal;
    int32_t bound_max; /* or NO_BOUND */
    struct frontier frontier;
    uint32_t running; /* the node in flight */
    int32_t bound;    /* its preemptions */
    bool shared;
    bool beyond;   /* executions beyond the last bound exist */
    bool diverged; /* the program went another way: what is left is unknown */
};

static void preempt_open(void *state, const struct strategy_options *options, struct arena *arena,
                         struct journal *journal)
{
    struct preempt *search = state;
    memset(search, 0, sizeof *search);
    search->journal = journal;
    search->bound_max = options->bound;
    search->shared = options->shared;
    if (search->shared)
        frontier_open_empty(&search->frontier, arena, journal);
    else
        frontier_open(&search->frontier, arena, journal);
}

static void preempt_rise(void *state)
{
    struct preempt *search = state;
    journal_save(search->journal, search, sizeof *search);
    frontier_swap(&search->frontier);
    search->bound++;
}

static bool preempt_plan(void *state, struct schedule *next)
{
    struct preempt *search = state;
    journal_save(search->journal, search, sizeof *search);
    search->running = frontier_pop(&search->frontier, THIS_BOUND);
    if (search->running == 0 && search->frontier.waiting > 0 && !search->shared) {
        preempt_rise(search);
        search->running = frontier_pop(&search->frontier, THIS_BOUND);
    }
    if (search->running == 0)
        return false;
    frontier_schedule(&search->frontier, search->running, next);
    return true;
}

/* Whether it costs a preemption to run a thread other than the default one at this step. */
static bool leaving_preempts(const struct trace *trace, uint32_t step)
{
    if (step == 0)
        return false;
    const struct step *before = &trace->steps[step - 1];
    return thread_set_has(&trace->steps[step].enabled, before->thread) &&
           !op_gives_way(before->op.kind);
}

/* The deepest link of the chain at a step in first..last - 1, where all was done by default: there
 * a thread goes on if going on is possible, so that only then leaving it preempts. */
static inline struct decision deepest_link(const struct trace *trace, uint32_t first, uint32_t last,
                                           enum chain chain)
{
    for (uint32_t step = last; step-- > first;) {
        const struct step *at = &trace->steps[step];
        if (at->alternatives == 1)
            continue;
        bool goes_on = step > 0 && at->thread == at[-1].thread && !op_gives_way(at[-1].op.kind);
        if (chain == PREEMPTING && !goes_on)
            continue;
        struct decision link = chain == PREEMPTING ? next_thread(trace, step)
                               : goes_on           ? next_choice(trace, step)
                                                   : next_alternative(trace, step);
        if (link.thread != NO_THREAD)
            return link;
    }
    return no_alternative();
}

/* The link before the one that the execution took at `step`, down to `first`. */
static struct decision link_before(const struct trace *trace, uint32_t first, uint32_t step)
{
    bool preempts = leaving_preempts(trace, step);
    bool by_default = trace->steps[step].thread == default_thread(trace, step);
    struct decision link =
        preempts && by_default ? next_choice(trace, step) : next_alternative(trace, step);
    if (link.thread != NO_THREAD)
        return link;
    return preempts && !by_default ? deepest_link(trace, first, step, PREEMPTING)
                                   : deepest_link(trace, first, step, FREE);
}

static uint32_t first_own_step(const struct preempt *search, uint32_t node)
{
    const struct node *at = &search->frontier.nodes[node];
    return at->parent == 0 ? 0 : at->decision.step + 1;
}

static void push_sibling(struct preempt *search, const struct trace *trace, uint32_t node)
{
    const struct node *at = &search->frontier.nodes[node];
    struct decision sibling =
        link_before(trace, first_own_step(search, at->parent), at->decision.step);
    if (sibling.thread != NO_THREAD)
        frontier_push_sibling(&search->frontier, THIS_BOUND, node, sibling,
                              trace->steps[sibling.step].fingerprint);
}

static bool push_child(struct preempt *search, const struct trace *trace, uint32_t node,
                       enum stack stack, struct decision child)
{
    if (child.thread == NO_THREAD)
        return false;
    if (stack == NEXT_BOUND && search->bound == search->bound_max) {
        search->beyond = true;
        return false;
    }
    frontier_push_child(&search->frontier, stack, node, child,
                        trace->steps[child.step].fingerprint);
    return true;
}

static void preempt_learn(void *state, const struct trace *trace)
{
    struct preempt *search = state;
    uint32_t node = search->running, children = 0;
    journal_save(search->journal, search, sizeof *search);
    if (trace->outcome == OUTCOME_DIVERGED || trace->count < first_own_step(search, node)) {
        search->diverged = true;
    } else {
        if (search->frontier.nodes[node].parent != 0)
            push_sibling(search, trace, node);
        uint32_t first = first_own_step(search, node);
        children += push_child(search, trace, node, NEXT_BOUND,
                               deepest_link(trace, first, trace->count, PREEMPTING));
        children += push_child(search, trace, node, THIS_BOUND,
                               deepest_link(trace, first, trace->count, FREE));
    }
    frontier_settle(&search->frontier, node, children);
}

/* Every second node: those of one bound are alike, and those of one path get larger towards the
 * bottom of the stack, so that either way both halves are. */
static bool preempt_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct preempt *search = state;
    struct frontier *frontier = &search->frontier;
    struct decision prefix[SUBTREE_DECISIONS_MAX];
    struct schedule schedule = {.prefix = prefix, .prefix_capacity = SUBTREE_DECISIONS_MAX};
    uint32_t kept = frontier->top[THIS_BOUND], node;
    bool given = false;
    journal_save(search->journal, search, sizeof *search);
    for (; kept != 0 && (node = frontier->nodes[kept].link) != 0;
         kept = frontier->nodes[kept].link) {
        if (!parcel_has_room(out, frontier_depth(frontier, node)))
            break;
        frontier_schedule(frontier, node, &schedule);
        struct subtree subtree = strategy_whole(&strategy_preempt, 0);
        subtree.bound = search->bound;
        subtree.check = schedule.check;
        subtree.floor = schedule.check_step;
        subtree.prefix = prefix;
        subtree.prefix_count = schedule.prefix_count;
        parcel_put(out, &subtree);
        frontier_drop_after(frontier, kept);
        given = true;
    }
    return given;
}

static bool preempt_adopt(void *state, const struct subtree *subtree)
{
    struct preempt *search = state;
    if (subtree->bound != search->bound)
        return false;
    journal_save(search->journal, search, sizeof *search);
    frontier_adopt(&search->frontier, THIS_BOUND, subtree->prefix, subtree->prefix_count,
                   subtree->check);
    return true;
}

static struct progress preempt_progress(const void *state)
{
    const struct preempt *search = state;
    bool ended = search->running == 0 && search->frontier.waiting == 0;
    bool all = ended && !search->beyond;
    return (struct progress){
        .claim = search->diverged ? CLAIM_NOTHING
                 : all            ? CLAIM_ALL
                                  : CLAIM_WITHIN_BOUND,
        .complete = ended && !search->diverged,
        .bound = search->bound,
        .pending = search->frontier.waiting,
    };
}

const struct strategy strategy_preempt = {
    .name = "preempt",
    .summary = "all executions with 0 preemptions, then 1, 2, …",
    .bound_name = "preemptions",
    .state_size = sizeof(struct preempt),
    .open = preempt_open,
    .plan = preempt_plan,
    .choose = choose_default,
    .learn = preempt_learn,
    .progress = preempt_progress,
    .split = preempt_split,
    .adopt = preempt_adopt,
    .rise = preempt_rise,
};
