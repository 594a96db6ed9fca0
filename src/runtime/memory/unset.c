/* Reads of heap memory that nobody has written. Fresh blocks are filled with a byte that is as good
 * as any; a read that finds nothing else, where no write was seen, is one of memory that was not
 * set. So what code without instrumentation writes counts too. Copies of what is not set are no
 * mistake. */
#include <string.h>

#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/memory.h"

enum { UNSET_BYTE = 0xbe };

void heap_fill_unset(void *block, size_t size)
{
    memset(block, UNSET_BYTE, size);
}

static bool was_written(const char *at)
{
    const struct cell *cell = shadow_of(at);
    uint32_t generation = (uint32_t)(cell->write >> 32);
    bool of_now = generation == rt.generation || race_is_setup(&ex.race, generation);
    return of_now && ((uint32_t)cell->write >> 8 != 0 || cell->more != 0);
}

void heap_look_unset(const void *address, size_t size, uint64_t site)
{
    const char *at = address;
    for (size_t i = 0; i < size; i++)
        if ((uint8_t)at[i] != UNSET_BYTE || was_written(at + i))
            return;
    struct heap_block block;
    if (!heap_find(address, &block) || block.freed)
        return;
    struct finding *finding =
        finding_add(FINDING_UNINITIALISED, "heap memory is read that nobody has set", site, 0);
    if (finding == NULL)
        return;
    finding->address = (uint64_t)address;
    finding->object = object_number(address);
    finding->places[0].size = (uint16_t)size;
}
