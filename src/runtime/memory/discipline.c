/* The lockset detector's place in the runtime: a table of the places that were accessed. */
#include "runtime/memory/discipline.h"

#include <string.h>

#include "base/mix.h"
#include "detector/lockset.h"
#include "runtime/board.h"
#include "runtime/memory/memory.h"
#include "runtime/object.h"

enum { TABLE_FIRST = 1024 };

struct discipline {
    uint32_t size, used;
    struct lockset_cell *cells;
};

static struct lockset_cell *slot_of(const struct discipline *table, uint64_t address)
{
    uint32_t at = (uint32_t)mix(address, 0) % table->size;
    while (table->cells[at].address != 0 && table->cells[at].address != address)
        at = (at + 1) % table->size;
    return &table->cells[at];
}

static void grow(struct discipline *table)
{
    struct discipline larger = {.size = table->size == 0 ? TABLE_FIRST : 2 * table->size,
                                .used = table->used};
    larger.cells = execution_take(larger.size * sizeof *larger.cells);
    for (uint32_t i = 0; i < table->size; i++)
        if (table->cells[i].address != 0)
            *slot_of(&larger, table->cells[i].address) = table->cells[i];
    *table = larger;
}

static struct lockset_cell *cell_of(uint64_t address)
{
    if (ex.discipline == NULL)
        ex.discipline = execution_take(sizeof *ex.discipline);
    if (2 * (ex.discipline->used + 1) > ex.discipline->size)
        grow(ex.discipline);
    struct lockset_cell *cell = slot_of(ex.discipline, address);
    if (cell->address == 0) {
        cell->address = address;
        ex.discipline->used++;
    }
    return cell;
}

void discipline_note(const volatile void *address, bool writes, uintptr_t site)
{
    const struct thread *me = ex.me;
    if (on_own_stack(address) || me->held_count > LOCKS_HELD_MAX)
        return;
    struct lockset_cell *cell = cell_of((uint64_t)address & ~(uint64_t)(GRANULE - 1));
    struct place earlier = {.site = cell->site, .thread = cell->thread};
    bool broken = lockset_access(cell, ex.current, writes, me->held, me->held_count);
    cell->site = site;
    if (!broken)
        return;
    struct finding *finding =
        finding_add(FINDING_LOCKSET, "no lock is held at every access to shared memory", site, 0);
    if (finding == NULL)
        return;
    finding->address = (uint64_t)address;
    finding->object = object_number(address);
    finding->places[0].writes = writes;
    finding->places[1] = earlier;
}
