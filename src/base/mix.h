/* Mixes 64-bit values into fingerprints: fast, and good enough that equal fingerprints mean equal
 * values. */
#ifndef BASE_MIX_H
#define BASE_MIX_H

#include <stdint.h>

static inline uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ b * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
    return z ^ z >> 32;
}

#define MIX_FIRST  0xff51afd7ed558ccdul
#define MIX_SECOND 0xc4ceb9fe1a85ec53ul

/* Adds one value to a chain of values. The multiplier is one of the two above. */
static inline uint64_t mix_chain(uint64_t chain, uint64_t value, uint64_t multiplier)
{
    uint64_t z = (chain + value) * multiplier;
    return z ^ z >> 32;
}

/* Folds one word of a long range into the fingerprint of the words before. */
static inline uint64_t mix_fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
