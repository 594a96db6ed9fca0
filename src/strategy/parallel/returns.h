/* Returns: sequences that a worker found and that must run above its subtree, in steps that other
 * workers share. A return is a node that names the step, and below it a chain of events. */
#ifndef STRATEGY_RETURNS_H
#define STRATEGY_RETURNS_H

#include "strategy/parallel/event_numbers.h"
#include "strategy/reduction/wakeup.h"

enum { RETURNS_SENT = 1 << 14 };

/* Whether a return with this fingerprint was added before, as far as there is room to know; notes
 * it. Called inside a transaction. */
bool returns_have(struct journal *journal, uint64_t sent[RETURNS_SENT], uint64_t fingerprint);
void returns_add(struct wakeup *wakeup, uint32_t *list, uint32_t step, const struct event *events,
                 uint32_t count);
/* Writes the returns that fit, with a 0 after them, and takes them off the list. Returns false if
 * there were none. A return that is longer than any letter is dropped, and sets `lost`. */
bool returns_put(struct wakeup *wakeup, uint32_t *list, struct numbers *letter, uint8_t *lost);

#endif
