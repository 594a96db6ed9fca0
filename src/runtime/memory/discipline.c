/* Detectors that look at each plain access to shared memory: lockset and atomicity. They share a table of
 * the places that were accessed. */
#include "runtime/memory/discipline.h"

#include "base/mix.h"
#include "detector/atomicity.h"
#include "detector/lockset.h"
#include "runtime/board.h"
#include "runtime/memory/memory.h"
#include "runtime/object.h"

enum { TABLE_FIRST = 1024 };

struct used { /* four bytes of memory */
    uint64_t address; /* 0: a free slot */
    struct lockset_cell lockset;
    struct atomicity_cell atomicity;
};

struct discipline {
    uint32_t size, used;
    struct used *slots;
};

static struct used *slot_of(const struct discipline *table, uint64_t address)
{
    uint32_t at = (uint32_t)mix(address, 0) % table->size;
    while (table->slots[at].address != 0 && table->slots[at].address != address)
        at = (at + 1) % table->size;
    return &table->slots[at];
}

static void grow(struct discipline *table)
{
    struct discipline larger = {.size = table->size == 0 ? TABLE_FIRST : 2 * table->size,
                                .used = table->used};
    larger.slots = execution_take(larger.size * sizeof *larger.slots);
    for (uint32_t i = 0; i < table->size; i++)
        if (table->slots[i].address != 0)
            *slot_of(&larger, table->slots[i].address) = table->slots[i];
    *table = larger;
}

static struct used *used_at(uint64_t address)
{
    if (ex.discipline == NULL)
        ex.discipline = execution_take(sizeof *ex.discipline);
    if (2 * (ex.discipline->used + 1) > ex.discipline->size)
        grow(ex.discipline);
    struct used *used = slot_of(ex.discipline, address);
    if (used->address == 0) {
        used->address = address;
        ex.discipline->used++;
    }
    return used;
}

static void report(enum finding_kind kind, const char *message, const volatile void *address,
                   bool writes, uintptr_t site, struct place other)
{
    struct finding *finding = finding_add(kind, message, site, other.site);
    if (finding == NULL)
        return;
    finding->address = (uint64_t)address;
    finding->object = object_number(address);
    finding->places[0].writes = writes;
    finding->places[1] = other;
}

static void look_at_locks(struct lockset_cell *cell, const volatile void *address, bool writes,
                          uintptr_t site)
{
    const struct thread *me = ex.me;
    if (me->held_count > LOCKS_HELD_MAX)
        return; /* not all of them are known */
    struct place earlier = {.site = cell->site, .thread = cell->thread};
    bool broken = lockset_access(cell, ex.current, writes, me->held, me->held_count);
    cell->site = site;
    if (broken)
        report(FINDING_LOCKSET, "no lock is held at every access to shared memory", address, writes,
               site, earlier);
}

static void look_at_order(struct atomicity_cell *cell, const volatile void *address, bool writes,
                          uintptr_t site)
{
    if (atomicity_access(cell, ex.current, writes, site))
        report(FINDING_ATOMICITY, "another thread writes between a read and the write that follows it",
               address, writes, site,
               (struct place){.site = cell->write_site, .thread = cell->writer, .writes = true});
}

void discipline_note(const volatile void *address, bool writes, uintptr_t site)
{
    if (on_own_stack(address))
        return;
    struct used *used = used_at((uint64_t)address & ~(uint64_t)(GRANULE - 1));
    if (detecting(DETECT_LOCKSET))
        look_at_locks(&used->lockset, address, writes, site);
    if (detecting(DETECT_ATOMICITY))
        look_at_order(&used->atomicity, address, writes, site);
}
