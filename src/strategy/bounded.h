/* All executions of cost c before any of cost c + 1, none of them twice: what iterative context
 * bounding and iterative delay bounding share. The cost is the sum of what each step costs.
 *
 * At a step the threads are taken in round-robin order from the default one. Leaving the default
 * costs one or nothing, going on to each further thread as well: that is all in which the two
 * searches differ. Data choices cost nothing.
 *
 * What can be done differently after the step at which an execution left its parent's falls into
 * two chains: what costs one, and what does not. Only the deepest link of a chain waits to be run;
 * its trace shows the link before it, and the next thread at its own step, should that cost more.
 * So an execution leaves a handful of others behind, however long it is, and at the last bound the
 * search needs no more memory than depth-first search. */
#ifndef STRATEGY_BOUNDED_H
#define STRATEGY_BOUNDED_H

#include "strategy/cache.h"
#include "strategy/parts.h"
#include "strategy/pile.h"
#include "strategy/strategy.h"

enum cost { COST_PREEMPTIONS, COST_DELAYS };

struct bounded {
    struct journal *journal;
    struct cache cache;
    int32_t bound_max;          /* or NO_BOUND */
    struct decision *decisions; /* of the execution in hand, … */
    uint32_t count;             /* … so many, with room for one more; nothing here lasts */
    struct chunks chunks;
    struct pile piles[2], spare; /* one for the executions of this bound, one for the next */
    bool shared;
    struct {
        bool running;             /* the uppermost of this bound is in flight */
        bool beyond;              /* executions beyond the last bound exist */
        bool diverged;            /* the program went another way: what is left is unknown */
        int32_t bound;            /* the cost of what is run */
        struct estimate estimate; /* of this bound */
    } now;
};

void bounded_open(void *state, const struct strategy_options *options, struct arena *arena,
                  struct journal *journal);
bool bounded_plan(void *state, struct schedule *next);
struct decision bounded_choose_unseen(struct pilot *pilot, const struct choice_point *at);
void bounded_learn_preemptions(void *state, const struct trace *trace);
void bounded_learn_delays(void *state, const struct trace *trace);
struct progress bounded_progress(const void *state);
/* For several workers; the strategy is the one whose name a subtree bears. */
bool bounded_split(struct bounded *search, const struct strategy *strategy, struct parcel *out);
bool bounded_adopt(void *state, const struct subtree *subtree);
void bounded_rise(void *state);
void bounded_full(void *state);

#endif
