/* Vector clocks: what is known of each thread, by number. They are made of whole groups, which are
 * copied and joined at once; entries beyond the last thread are zero. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

enum { CLOCK_GROUP = 4 };

/* With a sign, since such are compared in one instruction: no entry is so large that it would have
 * one. */
typedef int32_t clock_group
    __attribute__((vector_size(CLOCK_GROUP * sizeof(int32_t)), aligned(4), may_alias));

static inline uint32_t clock_groups(uint32_t threads)
{
    return (threads + CLOCK_GROUP - 1) / CLOCK_GROUP;
}

static inline void clock_copy(uint32_t *into, const uint32_t *from, uint32_t threads)
{
    clock_group *to = (clock_group *)into;
    const clock_group *all = (const clock_group *)from;
    for (uint32_t i = 0, count = clock_groups(threads); i < count; i++)
        to[i] = all[i];
}

static inline void clock_join(uint32_t *into, const uint32_t *from, uint32_t threads)
{
    clock_group *to = (clock_group *)into;
    const clock_group *all = (const clock_group *)from;
    for (uint32_t i = 0, count = clock_groups(threads); i < count; i++) {
        clock_group more = all[i] > to[i];
        to[i] = (all[i] & more) | (to[i] & ~more);
    }
}

#endif
