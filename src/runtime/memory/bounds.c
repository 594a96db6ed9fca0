/* Accesses that leave their heap block. The race detector asks about accesses that it has not seen
 * before in this execution: a path that is known to be right costs nothing. */
#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/memory.h"

static const char *what_is_wrong(bool found, const struct heap_block *block, const void *address)
{
    if (!found)
        return "no heap block is there";
    return (const char *)address < (const char *)block->start
               ? "before the beginning of a heap block"
               : "beyond the end of a heap block";
}

static void report(const struct heap_block *block, bool found, const void *address, size_t size,
                   bool writes, uint64_t site)
{
    struct finding *finding =
        finding_add(FINDING_OUT_OF_BOUNDS, what_is_wrong(found, block, address), site, 0);
    if (finding != NULL) {
        finding->address = (uint64_t)address;
        finding->object = object_number(address);
        finding->places[0].size = (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX);
        finding->places[0].writes = writes;
        finding->places[1] = (struct place){
            .site = found ? block->site : 0,
            .thread = found && block->thread < HEAP_SETUP ? (thread_id)block->thread : NO_THREAD};
    }
    if (!finding_is_passed(FINDING_OUT_OF_BOUNDS, site, 0))
        memory_fail(site);
}

void heap_look(const void *address, size_t size, bool writes, uint64_t site)
{
    struct execution *now = &ex;
    if (unlikely(detecting(DETECT_UNINITIALISED)) && !writes && !now->memory.copies)
        heap_look_unset(address, size, site);
    uintptr_t from = (uintptr_t)address;
    if (likely(from - now->heap.block.start < now->heap.block.size &&
               size <= now->heap.block.size - (from - now->heap.block.start)))
        return;
    struct heap_block block;
    bool found = heap_find(address, &block);
    if (!detecting(DETECT_HEAP))
        return;
    if (!found || from < (uintptr_t)block.start ||
        from + size > (uintptr_t)block.start + block.size)
        report(&block, found, address, size, writes, site);
    now->heap.block.start = (uintptr_t)block.start;
    now->heap.block.size = block.size;
}
