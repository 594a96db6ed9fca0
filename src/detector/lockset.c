#include "detector/lockset.h"

static bool holds(const uint32_t *held, uint32_t count, uint32_t lock)
{
    for (uint32_t i = 0; i < count; i++)
        if (held[i] == lock)
            return true;
    return false;
}

static void keep_common(struct lockset_cell *cell, const uint32_t *held, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cell->count; i++)
        if (holds(held, count, cell->locks[i]))
            cell->locks[kept++] = cell->locks[i];
    cell->count = (uint8_t)kept;
}

static void begin_to_share(struct lockset_cell *cell, const uint32_t *held, uint32_t count)
{
    cell->state = LOCKSET_SHARED;
    cell->count = (uint8_t)(count < LOCKSET_MAX ? count : LOCKSET_MAX);
    for (uint32_t i = 0; i < cell->count; i++)
        cell->locks[i] = held[i];
}

bool lockset_access(struct lockset_cell *cell, thread_id thread, bool writes, const uint32_t *held,
                    uint32_t count)
{
    if (cell->state == LOCKSET_UNUSED)
        cell->state = LOCKSET_EXCLUSIVE;
    else if (cell->state == LOCKSET_EXCLUSIVE && cell->thread != thread)
        begin_to_share(cell, held, count);
    else if (cell->state != LOCKSET_EXCLUSIVE)
        keep_common(cell, held, count);
    cell->thread = thread;
    if (cell->state == LOCKSET_SHARED && writes)
        cell->state = LOCKSET_MODIFIED;
    return cell->state == LOCKSET_MODIFIED && cell->count == 0;
}
