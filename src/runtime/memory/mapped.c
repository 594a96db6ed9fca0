#define _GNU_SOURCE
#include "runtime/memory/mapped.h"

#include <signal.h>
#include <sys/mman.h>

#include "runtime/engine/alias.h"
#include "runtime/memory/called.h"
#include "runtime/time/disposition.h"

static bool was_touched(const char *at)
{
    const struct race *race = &ex.race;
    return race->touched[(size_t)(shadow_of(at) - race->first_cell) / RACE_CHUNK] != 0;
}

/* Of large memory, what was ever accessed counts. The parts are one step, if they are one at all.
 */
static void changes(const char *from, size_t size, bool writes, uintptr_t site)
{
    enum { PART = RACE_CHUNK * GRANULE, SMALL = 16 * PART };
    const char *end = from + size;
    uint32_t before = rt.trace.count;
    if (!called_counts(site) || ex.thread_count == 1 || !rt.race_check)
        return;
    while (from < end) {
        size_t part = PART - (uintptr_t)from % PART;
        part = part < (size_t)(end - from) ? part : (size_t)(end - from);
        if (size <= SMALL || was_touched(from))
            memory_called(from, part, writes, site);
        if (rt.trace.count != before)
            ex.shared_step = rt.trace.count;
        from += part;
    }
}

void mapped_goes(void *at, size_t size, uintptr_t site)
{
    changes(at, size, true, site);
}

void mapped_is_replaced(void *at, size_t size, int flags, uintptr_t site)
{
    if (flags & MAP_FIXED)
        changes(at, size, true, site);
}

void mapped_is_advised(void *at, size_t size, int advice, uintptr_t site)
{
    if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE)
        changes(at, size, true, site);
}

/* A thread that may no longer access memory crashes there, unless the program handles that. */
void mapped_is_protected(void *at, size_t size, int protection, uintptr_t site)
{
    if (disposition_of(SIGSEGV)->sa_handler == SIG_DFL && !(protection & PROT_WRITE))
        changes(at, size, !(protection & PROT_READ), site);
}

void mapped_is_new(void *at, size_t size, int flags)
{
    if (rt.race_check && ex.thread_count > 1 && !(flags & MAP_FIXED))
        race_renew(&ex.race, shadow_of((const void *)alias_name(at)), (const void *)alias_name(at),
                   size);
}
