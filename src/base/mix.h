/* Mixing of 64-bit values into fingerprints: fast, and good enough that equal means equal. */
#ifndef BASE_MIX_H
#define BASE_MIX_H

#include <stdint.h>

static inline uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ b * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
    return z ^ z >> 32;
}

#endif
