/* Random priorities of pending operations, as in partial order sampling. */
#ifndef STRATEGY_EVENTS_H
#define STRATEGY_EVENTS_H

#include "strategy/strategy.h"

struct events {                     /* of the execution in flight */
    uint64_t priority[THREADS_MAX]; /* of each thread's pending operation; 0: not drawn yet */
};

/* Forgets the priorities of operations that have been carried out since the last call, and draws
 * those of new ones. */
void events_look(struct events *events, struct pilot *pilot, const struct choice_point *at);
/* The first of these threads; who conflicts with its operation gets a new priority. */
thread_id events_take(struct events *events, const struct choice_point *at,
                      const thread_set *among);

#endif
