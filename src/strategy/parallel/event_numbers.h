/* Letters: events and wake-up trees as bytes, for another worker. Numbers take seven bits a byte,
 * lowest first.
 *
 * A writer checks at the end that everything found room. A reader checks at the end that everything
 * was valid. */
#ifndef STRATEGY_LETTER_H
#define STRATEGY_LETTER_H

#include "core/subtree.h"
#include "strategy/reduction/wakeup.h"

struct letter {
    uint8_t *bytes;
    uint32_t size, used; /* writing: filled up to here; reading: read up to here */
    bool wrong;          /* no room was left, or the bytes are no letter */
    const struct naming *names;
};

/* A letter in the extra bytes that a subtree with so many decisions has in a parcel. */
struct letter letter_begin(struct parcel *out, uint32_t decisions);
struct letter letter_open(const struct subtree *subtree);

void letter_put(struct letter *letter, uint64_t number);
/* 0, and `wrong`, if the number is larger than `most`. */
uint64_t letter_take(struct letter *letter, uint64_t most);
void letter_put_event(struct letter *letter, const struct event *event);
struct event letter_take_event(struct letter *letter);
void letter_put_threads(struct letter *letter, const thread_set *threads);
thread_set letter_take_threads(struct letter *letter);
/* A list of trees; without children it is a list of events. */
void letter_put_trees(struct letter *letter, const struct wakeup *wakeup, uint32_t list);
uint32_t letter_take_trees(struct letter *letter, struct wakeup *wakeup);

#endif
