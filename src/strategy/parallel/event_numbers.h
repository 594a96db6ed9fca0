/* Events and wake-up trees as numbers, for another worker. */
#ifndef STRATEGY_EVENT_NUMBERS_H
#define STRATEGY_EVENT_NUMBERS_H

#include "core/numbers.h"
#include "strategy/reduction/wakeup.h"

void event_put(struct numbers *out, const struct event *event);
struct event event_take(struct numbers *in);
/* A list of trees; without children it is a list of events. */
void trees_put(struct numbers *out, const struct wakeup *wakeup, uint32_t list);
/* Puts events from an array. */
void events_put(struct numbers *out, const struct event *events, uint32_t count);
uint32_t trees_take(struct numbers *in, struct wakeup *wakeup);

#endif
