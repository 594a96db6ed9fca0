/* Facts about each plain access for a strategy that relies on locks around shared data: which
 * places each step reads and writes, and whether a lock guards them.
 *
 * Such a strategy asks for less than Eraser does (detector/lockset.c): what is ordered by creating
 * and joining threads needs no lock. */
#include "runtime/memory/discipline.h"

#include "base/mix.h"
#include "detector/lockset.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/detectors.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/memory/locks_held.h"
#include "runtime/memory/memory.h"

enum { TABLE_FIRST = 1024, USERS_MAX = 6, TOUCHED_MAX = 1024 };

struct used {         /* four bytes of memory */
    uint64_t address; /* 0: a free slot */
    struct lockset_cell lockset;
    uint32_t touched[2]; /* the last step that is known to have read or written it, from 1 */
    uint32_t user_count; /* threads that have used it since it was anybody's; more than USERS_MAX:
                            not all known */
    struct moment users[USERS_MAX]; /* last step with which each of them used it */
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
    if (ex.memory.discipline == NULL)
        ex.memory.discipline = execution_take(sizeof *ex.memory.discipline);
    if (2 * (ex.memory.discipline->used + 1) > ex.memory.discipline->size)
        grow(ex.memory.discipline);
    struct used *used = slot_of(ex.memory.discipline, address);
    if (used->address == 0) {
        used->address = address;
        ex.memory.discipline->used++;
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

static void add_user(struct used *used)
{
    struct moment now = {rt.trace.count, ex.current};
    for (uint32_t i = 0; i < used->user_count && i < USERS_MAX; i++)
        if (used->users[i].thread == now.thread) {
            used->users[i] = now;
            return;
        }
    if (used->user_count < USERS_MAX)
        used->users[used->user_count] = now;
    if (used->user_count <= USERS_MAX)
        used->user_count++;
}

/* All earlier uses come before this one in every schedule. */
static bool is_handed_over(const struct used *used)
{
    struct moment now = {rt.trace.count, ex.current};
    if (used->user_count > USERS_MAX)
        return false;
    for (uint32_t i = 0; i < used->user_count; i++)
        if (used->users[i].thread != now.thread && !moment_comes_after(used->users[i], now))
            return false;
    return true;
}

static void need_locks(struct used *used, const volatile void *address, bool writes, uintptr_t site)
{
    struct lockset_cell *cell = &used->lockset;
    struct place earlier = {.site = cell->site, .thread = cell->thread};
    uint32_t held[LOCKS_HELD_MAX], count = 0;
    for (uint32_t i = 0; i < ex.me->locks.held_count && i < LOCKS_HELD_MAX; i++)
        if (!writes || !(ex.me->locks.held_shared >> i & 1)) /* to read is not enough to write */
            held[count++] = ex.me->locks.held[i];
    bool broken = lockset_access(cell, ex.current, writes, held, count);
    if (broken && is_handed_over(used)) {
        *cell = (struct lockset_cell){.state = LOCKSET_EXCLUSIVE, .thread = ex.current};
        used->user_count = 0;
        broken = false;
    }
    cell->site = site;
    add_user(used);
    if (!broken)
        return;
    the_board->flight.undisciplined = 1;
    report(FINDING_LOCKSET, LOCKSET_BROKEN, address, writes, site, earlier);
    struct flight *flight = &the_board->flight;
    for (uint32_t i = 0; i < flight->finding_count; i++)
        if (flight->findings[i].kind == FINDING_LOCKSET)
            flight->findings[i].severity = SEVERITY_WARNING;
}

static void touch_used_place(struct used *used, bool writes)
{
    uint32_t step = rt.trace.count;
    if (rt.strategy == NULL || !rt.strategy->traits.disciplined || used->touched[true] == step ||
        used->touched[writes] == step)
        return;
    used->touched[writes] = step;
    step_touched((uint32_t)mix(used->address, 1) >> 4 | TOUCHED_MEMORY,
                 writes ? TOUCH_WRITES : TOUCH_READS);
}

static bool is_asked_for(void)
{
    return detecting(DETECT_LOCKSET) && !rt.options->lockset_warns;
}

/* Notes an access for a strategy that asks for the places of each step. */
static void note_for_strategy(const volatile void *address, size_t size, bool writes,
                              uintptr_t site)
{
    uint64_t first = (uint64_t)address & ~(uint64_t)(GRANULE - 1), end = (uint64_t)address + size;
    bool own = on_own_stack(address), locks = site != 0 && !own && !is_asked_for();
    if (size > TOUCHED_MAX * GRANULE) {
        step_depends_on_all();
        end = first + GRANULE;
    }
    for (uint64_t at = first; at < end; at += GRANULE) {
        struct used *used = used_at(at);
        if (locks)
            need_locks(used, at == first ? address : (const volatile void *)at, writes, site);
        touch_used_place(used, writes);
    }
}

void discipline_touch(const volatile void *address, size_t size, bool writes)
{
    if (discipline_needed())
        note_for_strategy(address, size, writes, 0);
}

void discipline_note(const volatile void *address, size_t size, bool writes, uintptr_t site)
{
    if (discipline_needed())
        note_for_strategy(address, size, writes, site);
    if (detectors_see_accesses() && !on_own_stack(address))
        detectors_access(address, size, writes, site);
}
