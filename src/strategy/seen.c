#include "strategy/seen.h"

enum { FIRST_LOG = 12 };

static uint64_t capacity_of(uint32_t level)
{
    return 1ul << (FIRST_LOG + level);
}

static uint64_t capacity_before(uint32_t level)
{
    return ((1ul << level) - 1) << FIRST_LOG;
}

struct seen *seen_open(struct arena *arena, size_t bytes)
{
    struct seen *seen = arena_take(arena, bytes);
    CHECK(bytes > sizeof *seen);
    seen->capacity = (bytes - sizeof *seen) / sizeof *seen->entries;
    CHECK(seen->capacity >= capacity_of(0));
    return seen;
}

static const struct seen_entry *find(const struct seen *seen, uint32_t level, const uint64_t key[2])
{
    const struct seen_entry *table = seen->entries + capacity_before(level);
    uint64_t mask = capacity_of(level) - 1;
    for (uint64_t at = key[0] & mask;; at = (at + 1) & mask) {
        const struct seen_entry *entry = &table[at];
        if (entry->transaction == 0 || (entry->key[0] == key[0] && entry->key[1] == key[1]))
            return entry;
    }
}

static const struct seen_entry *find_up_to(const struct seen *seen, const uint64_t key[2],
                                           uint64_t last)
{
    for (uint32_t level = seen->now.levels; level-- > 0;) {
        const struct seen_entry *entry = find(seen, level, key);
        if (entry->transaction != 0)
            return entry->transaction <= last ? entry : NULL;
    }
    return NULL;
}

static bool has_up_to(const struct seen *seen, const uint64_t key[2], uint64_t last)
{
    return find_up_to(seen, key, last) != NULL;
}

bool seen_has(const struct seen *seen, const uint64_t key[2], const struct journal *journal)
{
    return has_up_to(seen, key, journal->sequence);
}

bool seen_has_by_now(const struct seen *seen, const uint64_t key[2], const struct journal *journal)
{
    return has_up_to(seen, key, journal->begun);
}

void seen_begin(struct seen *seen, struct journal *journal)
{
    journal_save(journal, &seen->now, sizeof seen->now);
}

uint32_t seen_value(const struct seen *seen, const uint64_t key[2], const struct journal *journal)
{
    const struct seen_entry *entry = find_up_to(seen, key, journal->begun);
    CHECK(entry != NULL);
    return (uint32_t)entry->value;
}

static bool has_no_room(const struct seen *seen, uint32_t levels)
{
    return levels == SEEN_LEVELS_MAX || capacity_before(levels + 1) > seen->capacity;
}

bool seen_is_full(const struct seen *seen)
{
    uint32_t levels = seen->now.levels;
    return levels > 0 && seen->now.filled[levels - 1] >= capacity_of(levels - 1) / 4 * 3 &&
           has_no_room(seen, levels);
}

uint64_t seen_bytes(const struct seen *seen)
{
    return capacity_before(seen->now.levels) * sizeof *seen->entries;
}

bool seen_add(struct seen *seen, const uint64_t key[2], const struct journal *journal)
{
    return seen_add_value(seen, key, 0, journal);
}

bool seen_add_value(struct seen *seen, const uint64_t key[2], uint32_t value,
                    const struct journal *journal)
{
    uint32_t levels = seen->now.levels;
    for (uint32_t level = levels; level-- > 0;) {
        struct seen_entry *entry = (struct seen_entry *)find(seen, level, key);
        if (entry->transaction == journal->begun) {
            entry->value = value & ((1u << SEEN_VALUE_BITS) - 1);
            /* A repeated transaction counts the key twice, which does no harm. */
            seen->now.filled[level]++;
            return true;
        }
        if (entry->transaction != 0)
            return false;
    }
    if (levels == 0 || seen->now.filled[levels - 1] >= capacity_of(levels - 1) / 4 * 3) {
        if (has_no_room(seen, levels))
            return true;
        seen->now.levels = ++levels;
    }
    struct seen_entry *entry = (struct seen_entry *)find(seen, levels - 1, key);
    entry->key[0] = key[0];
    entry->key[1] = key[1];
    entry->value = value & ((1u << SEEN_VALUE_BITS) - 1);
    __asm__ volatile("" ::: "memory"); /* a processor sees its own stores in order */
    entry->transaction = journal->begun & (UINT64_MAX >> SEEN_VALUE_BITS);
    seen->now.filled[levels - 1]++;
    return true;
}
