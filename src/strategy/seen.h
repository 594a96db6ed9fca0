/* A set of 128-bit fingerprints that only grows, in memory that outlives the process.
 *
 * Tables double in size: one is filled to three quarters, then the next is begun. Nothing moves and
 * each entry says which transaction put it in; so only the counts are saved in the journal: entries
 * that a killed transaction left behind are not there until it is repeated and puts them in again.
 */
#ifndef STRATEGY_SEEN_H
#define STRATEGY_SEEN_H

#include "base/arena.h"
#include "core/journal.h"

enum { SEEN_LEVELS_MAX = 20 };

enum { SEEN_VALUE_BITS = 24 };

struct seen_entry {
    uint64_t key[2];
    uint64_t transaction : 64 - SEEN_VALUE_BITS; /* 0: free */
    uint64_t value : SEEN_VALUE_BITS;            /* whatever who put it in likes to know */
};

struct seen {
    uint64_t capacity;
    struct {
        uint32_t levels;
        uint32_t filled[SEEN_LEVELS_MAX];
    } now;
    struct seen_entry entries[];
};

/* Takes so many bytes of the arena, which must be zero there. */
struct seen *seen_open(struct arena *arena, size_t bytes);
/* Between transactions. */
bool seen_has(const struct seen *seen, const uint64_t key[2], const struct journal *journal);
/* Inside of one, with what this one has put in before. */
bool seen_has_by_now(const struct seen *seen, const uint64_t key[2], const struct journal *journal);
/* Inside of one, before the first seen_add. */
void seen_begin(struct seen *seen, struct journal *journal);
/* Inside of one: true if it was not there before this transaction. No room: it is forgotten. */
bool seen_add(struct seen *seen, const uint64_t key[2], const struct journal *journal);
bool seen_add_value(struct seen *seen, const uint64_t key[2], uint32_t value,
                    const struct journal *journal);
/* Of a key that is there, by now. */
uint32_t seen_value(const struct seen *seen, const uint64_t key[2], const struct journal *journal);
bool seen_is_full(const struct seen *seen);   /* … or will be before long */
uint64_t seen_bytes(const struct seen *seen); /* of the tables in use */

#endif
