/* Vector clocks: one entry for each thread, by number. Clocks consist of whole groups, which are
 * copied and joined with one instruction each. Entries beyond the last thread are zero. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

enum { CLOCK_GROUP = 4 };

/* Signed, since signed integers are compared in one instruction. No entry is large enough to reach
 * the sign bit. */
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
