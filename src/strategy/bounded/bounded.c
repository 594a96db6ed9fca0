#include "strategy/bounded/bounded.h"

#include <string.h>

#include "strategy/alternative.h"

enum due { THIS_BOUND, NEXT_BOUND };
enum chain { FREE, COSTING };

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static void save(struct bounded *search)
{
    journal_save(search->journal, &search->now, sizeof search->now);
}

static struct pile *pile_of(struct bounded *search, enum due due)
{
    return &search->piles[((uint32_t)search->now.bound + due) % 2];
}

static uint64_t waiting(const struct bounded *search)
{
    return pile_count(&search->piles[0]) + pile_count(&search->piles[1]) - search->now.running;
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
    search->decisions = arena_take(arena, (options->steps_max + 1) * sizeof *search->decisions);
    struct pile *const piles[] = {&search->piles[0], &search->piles[1], &search->spare};
    for (uint32_t i = 0; i < 3; i++)
        pile_open(piles[i], arena, options->steps_max, &search->chunks, i);
    chunks_open(&search->chunks, arena, 3, journal);
    if (!search->shared) {
        pile_push(pile_of(search, THIS_BOUND), NULL, 0, 0);
        search->now.estimate = parts_open(1);
    }
}

void bounded_rise(void *state)
{
    struct bounded *search = state;
    save(search);
    search->now.bound++;
    search->now.estimate = parts_open(pile_count(pile_of(search, THIS_BOUND)));
}

void bounded_full(void *state)
{
    struct bounded *search = state;
    chunks_are_full(&search->chunks);
}

bool bounded_plan(void *state, struct schedule *next)
{
    struct bounded *search = state;
    save(search);
    struct pile *pile = pile_of(search, THIS_BOUND);
    if (pile_count(pile) == 0 && waiting(search) > 0 && !search->shared) {
        bounded_rise(search);
        pile = pile_of(search, THIS_BOUND);
    }
    search->now.running = pile_count(pile) > 0;
    if (!search->now.running)
        return false;
    parts_next(&search->now.estimate, pile_count(pile) - 1);
    pile_peek(pile, next);
    return true;
}

/* After equivalent pasts the rest of an execution costs the same if the same thread ran last. */
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

/* The deepest link of a chain at a step in first..last - 1, where the execution followed the
 * default. */
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

static bool within(struct bounded *search, enum due due)
{
    if (due == THIS_BOUND || search->now.bound != search->bound_max)
        return true;
    search->now.beyond = true;
    return false;
}

/* Pushes the execution that shares so many decisions with the current one and then takes this
 * one. */
static void push(struct bounded *search, const struct trace *trace, enum due due, uint32_t shared,
                 struct decision last)
{
    if (last.thread == NO_THREAD || !within(search, due))
        return;
    struct decision own = search->decisions[shared];
    search->decisions[shared] = last;
    pile_push(pile_of(search, due), search->decisions, shared + 1,
              trace->steps[last.step].fingerprint);
    search->decisions[shared] = own;
}

/* The step after the last of `count` decisions. */
static uint32_t first_own_step(const struct bounded *search, uint32_t count)
{
    return count == 0 ? 0 : search->decisions[count - 1].step + 1;
}

/* Pushes the links that follow the one that the execution took: at its own step, then at earlier
 * steps. */
ALWAYS_INLINE void push_siblings(struct bounded *search, const struct trace *trace, enum cost cost)
{
    uint32_t shared = search->count - 1;
    uint32_t first = first_own_step(search, shared), step = search->decisions[shared].step;
    struct decision sibling = next_choice(trace, step);
    if (sibling.thread != NO_THREAD) {
        push(search, trace, THIS_BOUND, shared, sibling);
        return;
    }
    const struct step *at = &trace->steps[step];
    thread_id by_default = default_thread(trace, step);
    bool left = at->thread != by_default, costs = leaving_costs(trace, step, cost);
    if (left || !costs) {
        sibling = next_thread(trace, step);
        bool dearer = cost == COST_DELAYS;
        push(search, trace, dearer ? NEXT_BOUND : THIS_BOUND, shared, sibling);
        if (sibling.thread != NO_THREAD && !dearer)
            return;
    }
    if (!left || !costs)
        sibling = deepest_link(trace, first, step, FREE, cost);
    else if (cost == COST_PREEMPTIONS ||
             at->thread == thread_set_next_around(&at->enabled, by_default + 1u))
        sibling = deepest_link(trace, first, step, COSTING, cost);
    else
        return; /* the first thread after the default one has continued the chain */
    push(search, trace, THIS_BOUND, shared, sibling);
}

ALWAYS_INLINE void learn(struct bounded *search, const struct trace *trace, enum cost cost)
{
    struct pile *pile = pile_of(search, THIS_BOUND);
    uint32_t count = search->count = pile_read(pile, search->decisions);
    uint32_t first = first_own_step(search, count);
    save(search);
    cache_learn(&search->cache);
    pile_pop(pile);
    search->now.running = false;
    if (trace->outcome == OUTCOME_DIVERGED || trace->count < first) {
        search->now.diverged = true;
        return;
    }
    if (count > 0)
        push_siblings(search, trace, cost);
    push(search, trace, NEXT_BOUND, count, deepest_link(trace, first, trace->count, COSTING, cost));
    push(search, trace, THIS_BOUND, count, deepest_link(trace, first, trace->count, FREE, cost));
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
    struct pile *pile = pile_of(search, THIS_BOUND);
    uint64_t count = pile_count(pile);
    save(search);
    bool given =
        pile_split(pile, &search->spare, strategy_whole(strategy, 0), search->now.bound, out);
    parts_give(&search->now.estimate, count, pile_count(pile));
    return given;
}

bool bounded_adopt(void *state, const struct subtree *subtree)
{
    struct bounded *search = state;
    if (subtree->bound != search->now.bound)
        return false;
    save(search);
    parts_adopt(&search->now.estimate);
    pile_push(pile_of(search, THIS_BOUND), subtree->prefix, subtree->prefix_count, subtree->check);
    return true;
}

struct progress bounded_progress(const void *state)
{
    const struct bounded *search = state;
    bool ended = !search->now.running && waiting(search) == 0;
    bool all = ended && !search->now.beyond;
    enum claim_kind whole = cache_is_on(&search->cache) ? CLAIM_ALL_CLASSES : CLAIM_ALL;
    return (struct progress){
        .claim = search->now.diverged ? CLAIM_NOTHING
                 : all                ? whole
                                      : CLAIM_WITHIN_BOUND,
        .complete = ended && !search->now.diverged,
        .bound = search->now.bound,
        .pending = waiting(search),
        .kept = search->chunks.all + 1,
        .kept_bytes = chunks_bytes(&search->chunks),
        .lost = search->chunks.now.lost,
        .estimate = search->now.estimate,
    };
}
