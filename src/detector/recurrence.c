#include "detector/recurrence.h"

#include <string.h>

enum { TIMES_EACH = 16, SLOTS_EACH = 4, ROUNDS_LEAST = 2 };

/* The shortest period of the names, from the end backwards: the borders of their prefixes, as
 * Knuth, Morris and Pratt compute them. */
static uint32_t period(const uint64_t *names, uint32_t count, uint32_t *border)
{
    const uint64_t *last = names + count - 1;
    uint32_t same = 0;
    border[0] = 0;
    for (uint32_t i = 1; i < count; i++) {
        while (same > 0 && *(last - i) != *(last - same))
            same = border[same - 1];
        same += *(last - i) == *(last - same);
        border[i] = same;
    }
    return count - border[count - 1];
}

struct set {
    uint64_t *names;
    uint8_t *states; /* enum slot */
    uint32_t size;
};
enum slot { FREE, TAKEN, MARKED };

static uint32_t slot_of(const struct set *set, uint64_t name)
{
    uint32_t at = (uint32_t)(name % set->size);
    while (set->states[at] != FREE && set->names[at] != name)
        at = at + 1 < set->size ? at + 1 : 0;
    return at;
}

/* Whether the quarter has few names, and each of them was in the quarter before. */
static bool comes_again(const uint64_t *before, const uint64_t *names, uint32_t count,
                        uint64_t *room)
{
    uint32_t size = count / SLOTS_EACH, taken = 0;
    struct set set = {.names = room, .states = (uint8_t *)(room + size), .size = size};
    memset(set.states, FREE, size);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = slot_of(&set, names[i]);
        taken += set.states[at] == FREE;
        set.states[at] = TAKEN;
        set.names[at] = names[i];
        if (taken > count / TIMES_EACH)
            return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = slot_of(&set, before[i]);
        taken -= set.states[at] == TAKEN;
        if (set.states[at] == TAKEN)
            set.states[at] = MARKED;
    }
    return taken == 0;
}

bool recurrence_find(const uint64_t *names, uint32_t count, uint64_t *room, uint32_t *cycle)
{
    uint32_t quarter = count / 2;
    const uint64_t *last = names + count - quarter;
    *cycle = 0;
    if (quarter < RECURRENCE_STEPS_LEAST / 4)
        return false;
    uint32_t length = period(last, quarter, (uint32_t *)room);
    if (length <= quarter / ROUNDS_LEAST)
        *cycle = length;
    return *cycle != 0 || comes_again(last - quarter, last, quarter, room);
}
