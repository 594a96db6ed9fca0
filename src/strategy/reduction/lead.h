/* The steps that must come before a step so that a reversal comes about: the persistent sets of
 * Flanagan and Godefroid 2005. */
#ifndef STRATEGY_LEAD_H
#define STRATEGY_LEAD_H

#include "strategy/reduction/order.h"

/* Collects the steps that can come in place of the reversal's step, then its event. `events` needs
 * room for the steps of the trace and two more. */
uint32_t lead_collect(const struct order *order, const struct trace *trace,
                      const struct event *taken, const struct reversal *reversal,
                      struct event *events);
/* Of the collected events: the last one itself, if it can come first and its thread is enabled, or
 * one that leads to it. NULL: none is known. Only the events that lead to the last one stay in
 * `events`. */
struct event *lead_of(const struct order *order, const struct trace *trace,
                      const struct reversal *reversal, struct event *events, uint32_t count,
                      const thread_set *enabled);

#endif
