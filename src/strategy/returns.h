/* What a worker has found that is to be run above its subtree, where others are at work: a list of
 * nodes that each name a step, and below each the events that are to be told of it. */
#ifndef STRATEGY_RETURNS_H
#define STRATEGY_RETURNS_H

#include "strategy/letter.h"
#include "strategy/wakeup.h"

enum { RETURNS_SENT = 1 << 14 };

/* Whether one with this fingerprint was added before, as far as there is room to know; from now on
 * it was. Inside a transaction. */
bool returns_have(struct journal *journal, uint64_t sent[RETURNS_SENT], uint64_t fingerprint);
void returns_add(struct wakeup *wakeup, uint32_t *list, uint32_t step, const struct event *events,
                 uint32_t count);
/* Writes those that find room, with a 0 behind them, and takes them off the list; false: there was
 * none. One that is longer than any letter is dropped, and `lost`. */
bool returns_put(struct wakeup *wakeup, uint32_t *list, struct letter *letter, uint8_t *lost);

#endif
