/* Best-first search: every execution once, in the order of a priority (GAMBIT: Coons, Burckhardt
 * and Musuvathi 2010).
 *
 * After an execution, all executions that leave it at one of its new steps are pushed on one of
 * many piles, by their priority. The next one comes from the first pile that is not empty, so equal
 * priorities are searched depth first. With a bound, executions with more preemptions are left out.
 *
 * Over a reduced space only those are pushed in which a thread comes before a step that it races
 * with, or, if it is disabled there, one that leads to it (Flanagan and Godefroid 2005, without
 * sleep sets). The same one may be found from several executions that share the steps before it, so
 * all that wait or ran are remembered. Which executions there are does not depend on their
 * order. */
#include <string.h>

#include "base/mix.h"
#include "strategy/alternative.h"
#include "strategy/bounded/pile.h"
#include "strategy/guided/portion.h"
#include "strategy/guided/prospect.h"
#include "strategy/reduction/lead.h"
#include "strategy/reduction/order.h"
#include "strategy/seen.h"
#include "strategy/shares.h"
#include "strategy/stateful/cache.h"
#include "strategy/strategy.h"

enum { TOUCHES_MOST = 4 }; /* average number of touches of a step */

struct found {      /* An execution that leaves the current one. */
    uint32_t level; /* level of its pile; LEVEL_NONE: it has been pushed */
    /* Number of decisions shared with the current execution; `decision` follows them. */
    uint32_t shared;
    struct decision decision;
};

#define LEVEL_NONE UINT32_MAX

struct best {
    struct journal *journal;
    struct cache cache;
    struct links links; /* links of the current execution */
    struct prospect prospect;
    struct portion portion;
    struct hierarchy hierarchy;
    int32_t bound_max; /* last bound to search, or NO_BOUND */
    uint32_t levels;
    uint64_t seed;
    struct chunks chunks; /* a stream for each level */
    /* The pile of one level; that of the execution in flight while there is one. */
    struct pile pile;
    struct decision *decisions; /* decisions of the current execution, with room for one more */
    uint32_t count;
    struct found *found; /* all executions that leave the current one; they do not last */
    uint32_t found_count;
    struct reduced { /* Only for a reduced space. */
        bool is;
        struct order order;
        struct event *taken;  /* by step of the current execution */
        uint64_t (*pasts)[2]; /* by step: a name of the decisions before it */
        thread_set *pushed;   /* by step: the threads that were pushed there since this execution */
        struct event *events; /* a sequence of events; scratch */
        struct seen *seen;    /* threads that wait or ran, together with their past */
    } reduced;
    struct {
        uint64_t waiting; /* executions on all levels, with the one in flight */
        uint32_t lowest;  /* levels below this one are empty */
        bool running;     /* the top of the pile is in flight */
        bool ended;
        bool beyond;   /* executions beyond the bound exist */
        bool diverged; /* the program took another way: what is left is unknown */
        bool overflow; /* there were more races than room */
        /* Executions that ran, and the sum of their portions in units of 2^-64. */
        uint64_t executions, portions;
        struct estimate estimate;
    } now;
};

static void save(struct best *best)
{
    journal_save(best->journal, &best->now, sizeof best->now);
}

static void open_reduced(struct reduced *reduced, struct arena *arena, uint32_t steps)
{
    reduced->is = true;
    reduced->taken = arena_take(arena, steps * sizeof *reduced->taken);
    reduced->pasts = arena_take(arena, (steps + 1) * sizeof *reduced->pasts);
    reduced->events = arena_take(arena, (steps + 2) * sizeof *reduced->events);
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
    best->levels = hierarchy_levels(&best->hierarchy);
    best->decisions = arena_take(arena, (options->steps_max + 1) * sizeof *best->decisions);
    best->found =
        arena_take(arena, ((size_t)options->steps_max * THREADS_MAX + 1) * sizeof *best->found);
    links_open(&best->links, arena, options->steps_max);
    prospect_open(&best->prospect, arena, options->steps_max, &best->hierarchy, options->objects,
                  &best->links);
    portion_open(&best->portion, arena, options->steps_max);
    cache_open(&best->cache, options, arena, journal);
    if (options->reduction == REDUCTION_CLASSIC)
        open_reduced(&best->reduced, arena, options->steps_max);
    pile_open(&best->pile, arena, options->steps_max, &best->chunks, 0);
    chunks_open(&best->chunks, arena, best->levels, journal);
    pile_push(&best->pile, NULL, 0, 0);
    best->now.waiting = 1;
}

static bool best_plan(void *state, struct schedule *next)
{
    struct best *best = state;
    save(best);
    if (best->now.waiting == 0 || best->now.diverged) {
        best->now.ended = true;
        return false;
    }
    while (best->chunks.streams[best->now.lowest].count == 0) {
        best->now.lowest++;
        CHECK(best->now.lowest < best->levels);
    }
    pile_turn_to(&best->pile, best->now.lowest);
    pile_peek(&best->pile, next);
    best->now.running = true;
    return true;
}

/* The executions that may follow a past depend on the preemptions that are left, and on which
 * thread costs one to leave. */
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
    return best->count == 0 ? 0 : best->decisions[best->count - 1].step + 1;
}

/* Whether running another thread at a step than at the step before is a preemption. */
static bool leaving_costs(const struct trace *trace, uint32_t step)
{
    if (step == 0)
        return false;
    const struct step *before = &trace->steps[step - 1];
    return thread_set_has(&trace->steps[step].enabled, before->thread) &&
           !op_gives_way(before->op.kind);
}

/* Adds an execution that shares so many decisions with the current one and then takes this one. */
static void add_worth(struct best *best, uint32_t shared, struct decision decision,
                      uint32_t preemptions, enum worth worth)
{
    if (best->bound_max != NO_BOUND && preemptions > (uint32_t)best->bound_max) {
        best->now.beyond = true;
        return;
    }
    struct outlook outlook = prospect_of(&best->prospect, decision, preemptions, best->seed);
    outlook.worth = worth;
    outlook.decisions = shared + 1;
    uint32_t level = hierarchy_level(&best->hierarchy, &outlook);
    if (level < best->now.lowest)
        best->now.lowest = level;
    best->found[best->found_count++] = (struct found){level, shared, decision};
}

static void add(struct best *best, uint32_t shared, struct decision decision, uint32_t preemptions)
{
    add_worth(best, shared, decision, preemptions, prospect_worth(&best->prospect, decision));
}

/* Pushes the found executions level by level, so that the pile turns to each level once. */
static void push_all(struct best *best, const struct trace *trace)
{
    uint64_t lost = best->chunks.now.lost;
    for (uint32_t i = 0; i < best->found_count; i++) {
        uint32_t level = best->found[i].level;
        if (level == LEVEL_NONE)
            continue;
        if (!pile_has_room(&best->pile)) {
            chunks_lose(&best->chunks, 1);
            continue;
        }
        pile_turn_to(&best->pile, level);
        for (struct found *at = &best->found[i], *end = &best->found[best->found_count]; at < end;
             at++) {
            if (at->level != level)
                continue;
            struct decision own = best->decisions[at->shared];
            best->decisions[at->shared] = at->decision;
            pile_push(&best->pile, best->decisions, at->shared + 1,
                      trace->steps[at->decision.step].fingerprint);
            best->decisions[at->shared] = own;
            at->level = LEVEL_NONE;
        }
    }
    best->now.waiting += best->found_count - (best->chunks.now.lost - lost);
}

static void add_children(struct best *best, const struct trace *trace, uint32_t first)
{
    for (uint32_t step = first; step < trace->count; step++) {
        const struct step *at = &trace->steps[step];
        if (at->alternatives == 1)
            continue;
        uint32_t kept = best->links.all[step + 1].preemptions;
        uint32_t preemptions = kept + trace_step_preempts(trace, step);
        struct decision choice = next_choice(trace, step);
        if (choice.thread != NO_THREAD)
            add(best, best->count, choice, preemptions);
        bool costs = leaving_costs(trace, step);
        thread_id last = step > 0 ? trace->steps[step - 1].thread : 0;
        THREADS_EACH(thread, &at->enabled)
        if (thread != at->thread)
            add(best, best->count, (struct decision){step, thread, 0},
                kept + (costs && thread != last));
    }
}

/* Adds the next outcome of the operation at which the execution left its parent. Its other threads
 * wait already. */
static void add_sibling(struct best *best, const struct trace *trace, uint32_t step)
{
    struct decision sibling = next_choice(trace, step);
    if (sibling.thread == NO_THREAD)
        return;
    add(best, best->count - 1, sibling,
        best->links.all[step + 1].preemptions + trace_step_preempts(trace, step));
}

static void look_back(struct reduced *reduced, const struct trace *trace, uint32_t changed)
{
    uint64_t *past = reduced->pasts[changed];
    if (changed == 0)
        past[0] = past[1] = 0;
    memset(reduced->pushed, 0, trace->count * sizeof *reduced->pushed);
    for (uint32_t step = changed; step < trace->count; step++) {
        uint64_t taken = (uint64_t)trace->steps[step].thread << 16 | trace->steps[step].choice;
        event_load(&reduced->taken[step], trace->steps, trace->touches, step);
        uint64_t *next = reduced->pasts[step + 1];
        next[0] = mix_chain(past[0], taken + 1, MIX_FIRST);
        next[1] = mix_chain(past[1], taken + 1, MIX_SECOND);
        past = next;
    }
}

/* Number of decisions before a step. An execution that leaves at that step shares no more of them,
 * whichever execution it was found from. */
static uint32_t decisions_before(const struct best *best, uint32_t step)
{
    uint32_t count = best->count;
    while (count > 0 && best->decisions[count - 1].step >= step)
        count--;
    return count;
}

/* Adds a thread at a step, unless it is known. The default thread ran in the first execution that
 * came to this step. */
static void add_reversed(struct best *best, const struct trace *trace, uint32_t step,
                         thread_id thread, enum worth worth)
{
    struct reduced *reduced = &best->reduced;
    uint64_t key[2] = {mix(reduced->pasts[step][0], thread), mix(reduced->pasts[step][1], thread)};
    if (thread == default_thread(trace, step) || thread == trace->steps[step].thread ||
        thread_set_has(&reduced->pushed[step], thread) ||
        !seen_add(reduced->seen, key, best->journal))
        return;
    thread_set_add(&reduced->pushed[step], thread);
    thread_id last = step > 0 ? trace->steps[step - 1].thread : 0;
    uint32_t preemptions =
        best->links.all[step + 1].preemptions + (leaving_costs(trace, step) && thread != last);
    add_worth(best, decisions_before(best, step), (struct decision){step, thread, 0}, preemptions,
              worth);
}

static void add_outcomes(struct best *best, const struct trace *trace, uint32_t first)
{
    for (uint32_t step = first; step < trace->count; step++) {
        struct decision choice = next_choice(trace, step);
        if (trace->steps[step].alternatives > 1 && choice.thread != NO_THREAD)
            add(best, best->count, choice,
                best->links.all[step + 1].preemptions + trace_step_preempts(trace, step));
    }
}

/* Adds a thread that leads to a reversal whose own thread is disabled; all enabled threads if none
 * is known to. */
static void add_leads(struct best *best, const struct trace *trace, const struct reversal *reversal)
{
    struct reduced *reduced = &best->reduced;
    const thread_set *enabled = &trace->steps[reversal->step].enabled;
    uint32_t count =
        lead_collect(&reduced->order, trace, reduced->taken, reversal, reduced->events);
    const struct event *lead =
        lead_of(&reduced->order, trace, reversal, reduced->events, count, enabled);
    if (lead != NULL) {
        add_reversed(best, trace, reversal->step, lead->thread, WORTH_REVERSAL);
        return;
    }
    THREADS_EACH(thread, enabled)
    add_reversed(best, trace, reversal->step, thread, WORTH_SAFETY);
}

static void add_reduced(struct best *best, const struct trace *trace, uint32_t first,
                        uint32_t changed)
{
    struct reduced *reduced = &best->reduced;
    look_back(reduced, trace, changed);
    add_outcomes(best, trace, first);
    order_clear(&reduced->order);
    order_learn(&reduced->order, trace, reduced->taken, 0, first > 0 ? first - 1 : 0);
    best->now.overflow |= reduced->order.overflow;
    seen_begin(reduced->seen, best->journal);
    for (uint32_t i = 0; i < reduced->order.reversal_count; i++) {
        const struct reversal *reversal = &reduced->order.reversals[i];
        thread_id thread = reversal->event.thread;
        if (thread_set_has(&trace->steps[reversal->step].enabled, thread))
            add_reversed(best, trace, reversal->step, thread, WORTH_REVERSAL);
        else
            add_leads(best, trace, reversal);
    }
}

/* Adds the portion of an execution to the estimate. The portions say nothing where the space is
 * reduced, bounded, or cut by a cache. */
static void note_portion(struct best *best, const struct trace *trace, uint32_t changed)
{
    if (best->reduced.is || best->bound_max != NO_BOUND || cache_is_on(&best->cache))
        return;
    best->now.portions += portion_of(&best->portion, trace, changed);
    best->now.executions++;
    /* The first executions may have more or less than their share. */
    best->now.estimate.kind = ESTIMATE_GROWING;
    if (shares_are_due(best->now.executions + 1))
        shares_note(&best->now.estimate, best->now.executions + 1, best->now.portions);
}

static void best_learn(void *state, const struct trace *trace)
{
    struct best *best = state;
    best->count = pile_read(&best->pile, best->decisions);
    best->found_count = 0;
    uint32_t first = first_own_step(best);
    save(best);
    cache_learn(&best->cache);
    pile_pop(&best->pile);
    best->now.waiting--;
    best->now.running = false;
    if (trace->outcome == OUTCOME_DIVERGED || trace->count < first) {
        best->now.diverged = true;
        return;
    }
    uint32_t from = first > 0 && !best->reduced.is ? first - 1 : 0;
    uint32_t changed = links_follow(&best->links, trace, best->decisions, best->count);
    note_portion(best, trace, changed);
    prospect_look(&best->prospect, trace, from, best->decisions, best->count);
    if (first > 0)
        add_sibling(best, trace, first - 1);
    if (best->reduced.is)
        add_reduced(best, trace, first, changed);
    else
        add_children(best, trace, first);
    links_settle(&best->links);
    push_all(best, trace);
}

static void best_full(void *state)
{
    struct best *best = state;
    chunks_are_full(&best->chunks);
}

static struct progress best_progress(const void *state)
{
    const struct best *best = state;
    enum claim_kind whole =
        cache_is_on(&best->cache) || best->reduced.is ? CLAIM_ALL_CLASSES : CLAIM_ALL;
    bool lost = best->now.diverged || best->now.overflow;
    return (struct progress){
        .claim = lost               ? CLAIM_NOTHING
                 : best->now.beyond ? CLAIM_WITHIN_BOUND
                                    : whole,
        .complete = best->now.ended && !lost,
        .bound = best->bound_max,
        .pending = best->now.waiting - best->now.running,
        .kept = best->chunks.all + 1,
        .kept_bytes = chunks_bytes(&best->chunks),
        .lost = best->chunks.now.lost,
        .estimate = best->now.estimate,
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
    .traits.bound_name = "preemptions",
    .traits.symmetric = true,
    .reduces_now = best_reduces_now,
    .state_size = sizeof(struct best),
    .open = best_open,
    .plan = best_plan,
    .choose = choose_default,
    .choose_unseen = best_choose_unseen,
    .learn = best_learn,
    .progress = best_progress,
    .full = best_full,
};
