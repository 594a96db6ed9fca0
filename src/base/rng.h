/* Random numbers that are a function of their seed alone (splitmix64). */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Skips so many numbers, as if each had been taken. */
static inline void rng_skip(struct rng *rng, uint64_t count)
{
    rng->state += count * 0x9e3779b97f4a7c15;
}

static inline uint32_t rng_below(struct rng *rng, uint32_t limit) /* limit > 0 */
{
    return (uint32_t)(((rng_next(rng) >> 32) * limit) >> 32);
}

#endif
