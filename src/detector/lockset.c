#include "detector/lockset.h"

#include "detector/places.h"

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

static void look(void *state, const struct scene *scene, const struct access *access)
{
    if (access->held_count > access->held_known)
        return;
    struct lockset_cell *cell = places_cell(state, scene, access, sizeof *cell);
    struct place earlier = {.site = cell->site, .thread = cell->thread};
    bool broken =
        lockset_access(cell, scene->thread, access->writes, access->held, access->held_count);
    cell->site = access->site;
    if (!broken)
        return;
    struct finding *finding =
        scene->report(DETECT_LOCKSET, FINDING_LOCKSET, LOCKSET_BROKEN, access->site, earlier.site);
    if (finding == NULL)
        return;
    finding->address = (uint64_t)access->address;
    finding->object = scene->object_at(access->address);
    finding->places[0].writes = access->writes;
    finding->places[1] = earlier;
}

const struct detector detector_lockset = {
    .word = "lockset",
    .summary = "shared memory that no lock protects at every access (Eraser's discipline)",
    .state_size = sizeof(struct places),
    .on_access = look,
};
