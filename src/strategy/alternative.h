/* Alternatives: the other decisions that were possible at a step of a trace.
 *
 * A trace shows for each step which threads were enabled, and how many outcomes the operation that
 * ran had. The numbers of outcomes of the other threads show only once they have run. So
 * alternatives are walked one after another, each found in a trace that took the one before it. */
#ifndef STRATEGY_ALTERNATIVE_H
#define STRATEGY_ALTERNATIVE_H

#include "core/journal.h"
#include "core/schedule.h"
#include "core/trace.h"

static inline thread_id default_thread(const struct trace *trace, uint32_t step)
{
    thread_id last = step > 0 ? trace->steps[step - 1].thread : 0;
    return thread_set_next_around(&trace->steps[step].enabled, last);
}

static inline struct decision no_alternative(void)
{
    return (struct decision){.thread = NO_THREAD};
}

/* The first outcome of the thread after the one that ran; no_alternative() if that is the default
 * thread. */
static inline struct decision next_thread(const struct trace *trace, uint32_t step)
{
    const struct step *at = &trace->steps[step];
    thread_id thread = thread_set_next_around(&at->enabled, at->thread + 1u);
    if (thread == default_thread(trace, step))
        return no_alternative();
    return (struct decision){.step = step, .thread = thread};
}

static inline struct decision next_choice(const struct trace *trace, uint32_t step)
{
    const struct step *at = &trace->steps[step];
    if (at->choice + 1u >= at->op.choices)
        return no_alternative();
    return (struct decision){step, at->thread, (uint16_t)(at->choice + 1)};
}

/* The alternative after the one taken, in the order of decision_nth; NO_THREAD: it was the last. */
static inline struct decision next_alternative(const struct trace *trace, uint32_t step)
{
    struct decision choice = next_choice(trace, step);
    return choice.thread != NO_THREAD ? choice : next_thread(trace, step);
}

/* The next alternative at the deepest step from `floor` on that has one. */
static inline struct decision deepest_alternative(const struct trace *trace, uint32_t floor)
{
    for (uint32_t step = trace->count; step-- > floor;) {
        if (trace->steps[step].alternatives == 1)
            continue;
        struct decision decision = next_alternative(trace, step);
        if (decision.thread != NO_THREAD)
            return decision;
    }
    return no_alternative();
}

/* Replaces the decisions of a list from the step of `decision` on by that decision. Returns their
 * new number. Called inside a transaction. */
static inline uint32_t decisions_branch(struct decision *taken, uint32_t count,
                                        struct decision decision, struct journal *journal)
{
    uint32_t kept = count;
    while (kept > 0 && taken[kept - 1].step >= decision.step)
        kept--;
    if (kept < count)
        journal_save(journal, &taken[kept], sizeof decision);
    taken[kept] = decision;
    return kept + 1;
}

#endif
