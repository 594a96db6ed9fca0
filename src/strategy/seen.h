/* A set of 128-bit fingerprints that only grows, in memory that outlives the process.
 *
 * Tables double in size: when one is filled to three quarters, the next is begun. Nothing moves,
 * and each entry names the transaction that added it. So only the counts are saved in the journal:
 * entries of a killed transaction do not count until that transaction is repeated and adds them
 * again. */
#ifndef STRATEGY_SEEN_H
#define STRATEGY_SEEN_H

#include "base/arena.h"
#include "core/journal.h"

enum { SEEN_LEVELS_MAX = 20 };

enum { SEEN_VALUE_BITS = 24 };

struct seen_entry {
    uint64_t key[2];
    uint64_t transaction : 64 - SEEN_VALUE_BITS; /* 0: free */
    uint64_t value : SEEN_VALUE_BITS;            /* a value that the owner stores with the entry */
};

struct seen {
    uint64_t capacity;
    struct {
        uint32_t levels;
        uint32_t filled[SEEN_LEVELS_MAX];
    } now;
    struct seen_entry entries[];
};

/* Takes so many bytes of the arena, which must be zero. */
struct seen *seen_open(struct arena *arena, size_t bytes);
/* Whether a key is in the set. Called between transactions. */
bool seen_has(const struct seen *seen, const uint64_t key[2], const struct journal *journal);
/* Whether a key is in the set, with those that this transaction added. Called inside a
 * transaction. */
bool seen_has_by_now(const struct seen *seen, const uint64_t key[2], const struct journal *journal);
/* Called inside a transaction, before the first seen_add(). */
void seen_begin(struct seen *seen, struct journal *journal);
/* Adds a key. Returns true if it was not there before this transaction. Without room the key is not
 * stored. Called inside a transaction. */
bool seen_add(struct seen *seen, const uint64_t key[2], const struct journal *journal);
bool seen_add_value(struct seen *seen, const uint64_t key[2], uint32_t value,
                    const struct journal *journal);
/* Value of a key that is in the set by now. */
uint32_t seen_value(const struct seen *seen, const uint64_t key[2], const struct journal *journal);
/* Whether the set is full, or will be after a few more keys. */
bool seen_is_full(const struct seen *seen);
uint64_t seen_bytes(const struct seen *seen); /* bytes of the tables in use */

#endif
