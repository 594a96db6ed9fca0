/* What has to come before a step so that a reversal comes about: the persistent sets of Flanagan
 * and Godefroid 2005. */
#ifndef STRATEGY_LEAD_H
#define STRATEGY_LEAD_H

#include "strategy/order.h"

/* The steps that can come in place of the reversal's step, and its event. There is room for one
 * more than the trace has and another one. */
uint32_t lead_collect(const struct order *order, const struct trace *trace,
                      const struct event *taken, const struct reversal *reversal,
                      struct event *events);
/* Of what was collected: the last event itself, if it can be the first and its thread is one of
 * these, or one that leads to it; NULL: nothing is known that does. Of the events only those are
 * left that lead to the last. */
struct event *lead_of(const struct order *order, const struct trace *trace,
                      const struct reversal *reversal, struct event *events, uint32_t count,
                      const thread_set *enabled);

#endif
