#include "detector/atomicity.h"

#include <stddef.h>

#include "detector/places.h"

static struct atomicity_read *read_of(struct atomicity_cell *cell, thread_id thread)
{
    for (int i = 0; i < ATOMICITY_READERS; i++)
        if (cell->reads[i].site != 0 && cell->reads[i].thread == thread)
            return &cell->reads[i];
    return NULL;
}

static bool is_near(uint64_t a, uint64_t b)
{
    return (a < b ? b - a : a - b) < ATOMICITY_NEAR;
}

static void note_read(struct atomicity_cell *cell, thread_id thread, uint64_t site)
{
    struct atomicity_read *read = read_of(cell, thread);
    if (read == NULL) {
        read = &cell->reads[cell->next];
        cell->next = (uint8_t)((cell->next + 1) % ATOMICITY_READERS);
    }
    *read = (struct atomicity_read){.site = site, .version = cell->version, .thread = thread};
}

bool atomicity_access(struct atomicity_cell *cell, thread_id thread, bool writes, uint64_t site)
{
    if (!writes) {
        note_read(cell, thread, site);
        return false;
    }
    struct atomicity_read *read = read_of(cell, thread);
    bool split = read != NULL && read->version != cell->version && is_near(read->site, site);
    if (read != NULL)
        read->site = 0;
    cell->version++;
    if (!split) { /* else the report still needs the write that came between */
        cell->writer = thread;
        cell->write_site = site;
    }
    return split;
}

static void look(void *state, const struct scene *scene, const struct access *access)
{
    struct atomicity_cell *cell = places_cell(state, scene, access, sizeof *cell);
    if (!atomicity_access(cell, scene->thread, access->writes, access->site))
        return;
    struct finding *finding =
        scene->report(DETECT_ATOMICITY, FINDING_ATOMICITY,
                      "another thread writes between a read and the write that follows it",
                      access->site, cell->write_site);
    if (finding == NULL)
        return;
    finding->address = (uint64_t)access->address;
    finding->object = scene->object_at(access->address);
    finding->places[0].writes = access->writes;
    finding->places[1] =
        (struct place){.site = cell->write_site, .thread = cell->writer, .writes = true};
}

const struct detector detector_atomicity = {
    .word = "atomicity",
    .summary = "a read and the write that follows it, split by another thread's write: a warning",
    .state_size = sizeof(struct places),
    .on_access = look,
};
