/* Mixing of 64-bit values into fingerprints: fast, and good enough that equal means equal. */
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

/* A chain of values goes on with one more; the multiplier is one of the above. */
static inline uint64_t mix_chain(uint64_t chain, uint64_t value, uint64_t multiplier)
{
    uint64_t z = (chain + value) * multiplier;
    return z ^ z >> 32;
}

/* For long ranges: a word after the other into what came before. */
static inline uint64_t mix_fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
