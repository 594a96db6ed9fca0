/* All executions of cost c before any of cost c + 1, none of them twice: what iterative context
 * bounding and iterative delay bounding share. The cost is the sum of the costs of all steps.
 *
 * At a step the threads are taken in round-robin order from the default one. Leaving the default
 * thread costs one or nothing, and so does going on to each further thread: only in this do the two
 * searches differ. Data choices cost nothing.
 *
 * The alternatives after the step at which an execution left its parent form two chains: those that
 * cost one, and those that cost nothing. Only the deepest link of a chain waits to be run. Its
 * trace shows the link before it, and the next thread at its own step, should that cost more. So an
 * execution leaves a handful of others behind, however long it is, and at the last bound the search
 * needs no more memory than depth-first search. */
#ifndef STRATEGY_BOUNDED_H
#define STRATEGY_BOUNDED_H

#include "strategy/bounded/parts.h"
#include "strategy/bounded/pile.h"
#include "strategy/stateful/cache.h"
#include "strategy/strategy.h"

enum cost { COST_PREEMPTIONS, COST_DELAYS };

struct bounded {
    struct journal *journal;
    struct cache cache;
    int32_t bound_max; /* last bound to search, or NO_BOUND */
    /* Decisions of the current execution, with room for one more; not kept over executions. */
    struct decision *decisions;
    uint32_t count; /* number of these decisions; not kept over executions */
    struct chunks chunks;
    struct pile piles[2], spare; /* one pile for the executions of this bound, one for the next */
    bool shared;
    struct {
        bool running;             /* the top of this bound's pile is in flight */
        bool beyond;              /* executions beyond the last bound exist */
        bool diverged;            /* the program took another way: what is left is unknown */
        int32_t bound;            /* cost of the executions that are run now */
        struct estimate estimate; /* estimate of what is left of this bound */
    } now;
};

void bounded_open(void *state, const struct strategy_options *options, struct arena *arena,
                  struct journal *journal);
bool bounded_plan(void *state, struct schedule *next);
struct decision bounded_choose_unseen(struct pilot *pilot, const struct choice_point *at);
void bounded_learn_preemptions(void *state, const struct trace *trace);
void bounded_learn_delays(void *state, const struct trace *trace);
struct progress bounded_progress(const void *state);
/* Functions for several workers. `strategy` is the one whose name the subtrees carry. */
bool bounded_split(struct bounded *search, const struct strategy *strategy, struct parcel *out);
bool bounded_adopt(void *state, const struct subtree *subtree);
void bounded_rise(void *state);
void bounded_full(void *state);

#endif
