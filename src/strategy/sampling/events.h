/* Random priorities of pending operations, as in partial order sampling. */
#ifndef STRATEGY_EVENTS_H
#define STRATEGY_EVENTS_H

#include "strategy/strategy.h"

struct events { /* State of the execution in flight. */
    /* Priority of each thread's pending operation; 0: not drawn yet. */
    uint64_t priority[THREADS_MAX];
};

/* Forgets the priorities of operations that ran since the last call, and draws those of new
 * ones. */
void events_look(struct events *events, struct pilot *pilot, const struct choice_point *at);
/* The thread of the highest priority among these. Pending operations that conflict with its
 * operation get new priorities. */
thread_id events_take(struct events *events, const struct choice_point *at,
                      const thread_set *among);

#endif
