#include "core/live.h"

#include "base/mix.h"

uint64_t live_sum(const void *bytes, size_t size)
{
    const char *at = bytes;
    uint64_t sum = size ^ 0x2545f4914f6cdd1d;
    for (; size >= sizeof(uint64_t); at += sizeof(uint64_t), size -= sizeof(uint64_t)) {
        uint64_t word;
        __builtin_memcpy(&word, at, sizeof word);
        sum = mix_chain(sum, word, MIX_FIRST);
    }
    for (; size > 0; at++, size--)
        sum = mix_chain(sum, (uint8_t)*at, MIX_SECOND);
    return sum;
}

static bool site_is_sound(const struct live_table *table, const struct live_site *site)
{
    if (site->words == 0 || site->first > table->word_count ||
        site->count > table->word_count - site->first || site->own > LIVE_ALL)
        return false;
    for (int i = 0; i < LIVE_REGISTERS; i++)
        if (site->exits[i] > LIVE_ALL)
            return false;
    for (uint32_t i = 0; i < site->count; i++)
        if (live_words(table)[site->first + i].word >= site->words)
            return false;
    return true;
}

bool live_is_sound(const struct live_table *table, size_t size)
{
    if (size < sizeof *table || size > LIVE_BYTES_MAX || table->magic != LIVE_MAGIC ||
        table->version != LIVE_VERSION || table->size != size)
        return false;
    if (table->places == 0 || (table->places & (table->places - 1)) != 0 ||
        sizeof *table + (uint64_t)table->places * sizeof(struct live_site) +
                (uint64_t)table->word_count * sizeof(struct live_word) !=
            size)
        return false;
    if (table->sum != live_sum(table + 1, size - sizeof *table))
        return false;
    uint32_t free = 0;
    for (uint32_t i = 0; i < table->places; i++) {
        const struct live_site *site = &live_sites(table)[i];
        free += site->site == 0;
        if (site->site != 0 &&
            (!site_is_sound(table, site) || site->site - table->text_start >= table->text_size + 1))
            return false;
    }
    return free > 0; /* or a look-up might not end */
}
