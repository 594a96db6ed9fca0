/* The checksum of counts and claims. Only the runtime and the coordinator update it, when a change
 * is complete. A stray store of the tested program changes a count or the checksum, not both, and
 * so is noticed. */
#ifndef CORE_SUM_H
#define CORE_SUM_H

#include "core/tally.h"

enum {
    SUM_WORDS = (offsetof(struct tally, always_shown) + sizeof(uint32_t)) / sizeof(uint64_t),
    SUM_FACTOR = 0x1e3779b1,
};
_Static_assert(SUM_WORDS * sizeof(uint64_t) ==
                   offsetof(struct tally, always_shown) + sizeof(uint32_t),
               "whole words");

/* Each word has a factor of its own, so that two words that change places are noticed. A factor of
 * 32 bits is part of an instruction: both sums are computed in every execution. */
static inline uint64_t tally_sum(const struct tally *tally)
{
    const char *at = (const char *)tally;
    uint64_t sum = SUM_FACTOR; /* not 0: memory of zeros does not add up */
#pragma GCC unroll 32
    for (uint32_t i = 0; i < SUM_WORDS; i++) {
        uint64_t word;
        __builtin_memcpy(&word, at + i * sizeof word, sizeof word);
        sum += word * (uint64_t)(int32_t)(SUM_FACTOR * (2 * i + 1));
    }
    return sum;
}

static inline bool tally_adds_up(const struct tally *tally)
{
    return tally->sum == tally_sum(tally);
}

static inline void tally_seal(struct tally *tally)
{
    tally->sum = tally_sum(tally);
}

#define DOES_NOT_ADD_UP                                                                            \
    "the tested program wrote into the tool's memory: what was counted cannot be believed"

#endif
