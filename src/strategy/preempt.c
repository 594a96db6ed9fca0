/* Iterative context bounding: all executions with c preemptions before any with c + 1 (Musuvathi and
 * Qadeer 2007), none of them twice.
 *
 * What can be done differently after the step at which an execution left its parent's falls into two
 * chains: what costs a preemption, and what does not. Only the deepest link of a chain waits to be
 * run; its trace shows the link before it. So an execution leaves at most two nodes behind, however
 * long it is, and at the last bound the search needs no more memory than depth-first search. */
#include <string.h>

#include "strategy/alternative.h"
#include "strategy/frontier.h"
#include "strategy/strategy.h"

enum stack { THIS_BOUND, NEXT_BOUND };
enum chain { FREE, PREEMPTING };

struct preempt {
    struct journal *journal;
    int32_t bound_max; /* or NO_BOUND */
    struct frontier frontier;
    struct {
        uint32_t running;  /* the node in flight */
        int32_t bound;     /* its preemptions */
        uint8_t ended;
        uint8_t beyond;    /* executions beyond the last bound exist */
        uint8_t diverged;  /* the program went another way: what is left is unknown */
    } now;
};

static void preempt_open(void *state, const struct strategy_options *options, struct arena *arena,
                         struct journal *journal)
{
    struct preempt *search = state;
    memset(search, 0, sizeof *search);
    search->journal = journal;
    search->bound_max = options->bound;
    frontier_open(&search->frontier, arena, journal);
}

static bool preempt_plan(void *state, struct schedule *next)
{
    struct preempt *search = state;
    journal_save(search->journal, &search->now, sizeof search->now);
    search->now.running = frontier_pop(&search->frontier, THIS_BOUND);
    if (search->now.running == 0) {
        frontier_swap(&search->frontier);
        search->now.running = frontier_pop(&search->frontier, THIS_BOUND);
        if (search->now.running == 0) {
            search->now.ended = true;
            return false;
        }
        search->now.bound++;
    }
    frontier_schedule(&search->frontier, search->now.running, next);
    return true;
}

static struct decision preempt_choose(struct pilot *pilot, const struct choice_point *at)
{
    return decision_nth(at, 0);
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

static enum chain chain_taken(const struct trace *trace, uint32_t step)
{
    bool preempts = leaving_preempts(trace, step) &&
                    trace->steps[step].thread != default_thread(trace, step);
    return preempts ? PREEMPTING : FREE;
}

/* The alternative after the one taken at this step that belongs to the chain. */
static struct decision next_at_step(const struct trace *trace, uint32_t step, enum chain chain)
{
    if (chain == chain_taken(trace, step)) {
        struct decision decision = next_alternative(trace, step);
        bool leaves_chain = chain == FREE && decision.thread != trace->steps[step].thread &&
                            leaving_preempts(trace, step);
        return leaves_chain ? no_alternative() : decision;
    }
    return chain == PREEMPTING && leaving_preempts(trace, step) ? next_thread(trace, step)
                                                               : no_alternative();
}

/* The deepest link of the chain at a step in first..last - 1. */
static struct decision next_in_chain(const struct trace *trace, uint32_t first, uint32_t last,
                                     enum chain chain)
{
    for (uint32_t step = last; step-- > first;) {
        if (trace->steps[step].alternatives == 1)
            continue;
        struct decision decision = next_at_step(trace, step, chain);
        if (decision.thread != NO_THREAD)
            return decision;
    }
    return no_alternative();
}

static void push(struct preempt *search, enum stack stack, uint32_t parent,
                 const struct trace *trace, struct decision decision)
{
    if (decision.thread != NO_THREAD)
        frontier_push(&search->frontier, stack, parent, decision,
                      trace->steps[decision.step].fingerprint);
}

static uint32_t first_own_step(const struct preempt *search, uint32_t node)
{
    const struct node *at = &search->frontier.nodes[node];
    return at->parent == 0 ? 0 : at->decision.step + 1;
}

/* Puts the next link of the chain that the execution itself is a link of. */
static void push_sibling(struct preempt *search, const struct trace *trace, uint32_t parent,
                         uint32_t step)
{
    push(search, THIS_BOUND, parent, trace,
         next_in_chain(trace, first_own_step(search, parent), step + 1, chain_taken(trace, step)));
}

static void push_children(struct preempt *search, const struct trace *trace, uint32_t node)
{
    uint32_t first = first_own_step(search, node);
    struct decision preempting = next_in_chain(trace, first, trace->count, PREEMPTING);
    if (search->now.bound != search->bound_max)
        push(search, NEXT_BOUND, node, trace, preempting);
    else if (preempting.thread != NO_THREAD)
        search->now.beyond = true;
    push(search, THIS_BOUND, node, trace, next_in_chain(trace, first, trace->count, FREE));
}

static void preempt_learn(void *state, const struct trace *trace)
{
    struct preempt *search = state;
    uint32_t node = search->now.running;
    const struct node *at = &search->frontier.nodes[node];
    journal_save(search->journal, &search->now, sizeof search->now);
    if (trace->outcome == OUTCOME_DIVERGED || trace->count < first_own_step(search, node)) {
        search->now.diverged = true;
    } else {
        if (at->parent != 0)
            push_sibling(search, trace, at->parent, at->decision.step);
        push_children(search, trace, node);
    }
    frontier_settle(&search->frontier, node);
    search->now.running = 0;
}

static struct progress preempt_progress(const void *state)
{
    const struct preempt *search = state;
    bool all = search->now.ended && !search->now.beyond;
    return (struct progress){
        .claim = search->now.diverged ? CLAIM_NOTHING : all ? CLAIM_ALL : CLAIM_WITHIN_BOUND,
        .complete = search->now.ended && !search->now.diverged,
        .bound = search->now.bound,
        .pending = search->frontier.now.waiting,
    };
}

const struct strategy strategy_preempt = {
    .name = "preempt",
    .summary = "all executions with 0 preemptions, then 1, 2, …",
    .bound_name = "preemptions",
    .state_size = sizeof(struct preempt),
    .open = preempt_open,
    .plan = preempt_plan,
    .choose = preempt_choose,
    .learn = preempt_learn,
    .progress = preempt_progress,
};
