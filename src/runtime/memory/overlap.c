/* Accesses that overlap in part. An access touches the object that is named by where it begins; if
 * another one overlaps that in part it touches each of its bytes instead, and all know it from then
 * on. What was touched before this showed is touched as well, and the search restarts. */
#include "runtime/engine/alias.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/discipline.h"
#include "runtime/memory/memory.h"

enum { BYTES_MAX = 63, RANGE_MAX = 4096 };

static bool reaches(uint32_t object, uint64_t address)
{
    const struct object *at = &the_board->objects[object];
    return at->address + at->bytes > address;
}

static void overlap(uint32_t one, uint32_t other, enum op_access access)
{
    the_board->objects[one].overlaps = the_board->objects[other].overlaps = 1;
    the_board->flight.overlap_seen = 1;
}

/* Calls a function for each other object that has bytes in a range. */
static void each_in(uint64_t start, size_t size, uint32_t own, enum op_access access,
                    void (*found)(uint32_t own, uint32_t other, enum op_access access))
{
    if (size > RANGE_MAX) {
        for (uint32_t i = 1; i <= the_board->object_count && i < OBJECTS_MAX; i++)
            if (i != own && the_board->objects[i].address < start + size && reaches(i, start))
                found(own, i, access);
        return;
    }
    for (uint64_t at = start - BYTES_MAX; at < start + size; at++) {
        uint32_t object = object_lookup(at);
        if (object != NO_OBJECT && object != own && (at >= start || reaches(object, start)))
            found(own, object, access);
    }
}

static void touch_other(uint32_t own, uint32_t other, enum op_access access)
{
    touch(object_state(other), access);
}

static void widen(const void *address, size_t size, uint32_t object, enum op_access access)
{
    the_board->objects[object].bytes = (uint8_t)(size < BYTES_MAX ? size : BYTES_MAX) & BYTES_MAX;
    each_in((uint64_t)address, size, object, access, overlap);
    if (the_board->objects[object].overlaps)
        each_in((uint64_t)address, size, object, access, touch_other);
}

static __attribute__((noinline, cold)) void touch_bytes(const char *address, size_t size,
                                                        enum op_access access)
{
    for (size_t i = 1; i < size; i++)
        touch(object_state(object_number(address + i)), access);
}

/* Where the block begins that an address lies in, if steps free it. */
static __attribute__((noinline, cold)) uint32_t freed_around(const void *address)
{
    struct heap_block block;
    if (!heap_find(address, &block))
        return NO_OBJECT;
    uint32_t start = object_lookup((uint64_t)block.start);
    return start != NO_OBJECT && the_board->objects[start].freed ? start : NO_OBJECT;
}

/* Freeing writes the beginning of a block, which all accesses inside of it read. */
static __attribute__((noinline, cold)) void touch_block(const void *address, uint32_t object)
{
    uint32_t start = freed_around(address);
    if (start != NO_OBJECT && start != object)
        touch(object_state(start), OP_ACCESS_READ);
}

bool touches_more(uint32_t object)
{
    const struct object *at = &the_board->objects[object];
    if (at->overlaps)
        return true;
    uint32_t start = rt.memory.frees ? freed_around((const void *)at->address) : NO_OBJECT;
    return start != NO_OBJECT && start != object;
}

/* A range that ends in memory with another name could touch anything. */
static __attribute__((noinline, cold)) const void *name_range(const void *address, size_t size)
{
    uintptr_t name = alias_name(address);
    if (size > 0 && alias_name((const char *)address + size - 1) != name + size - 1)
        step_depends_on_all();
    return (const void *)name;
}

static inline __attribute__((always_inline)) void touch_parts(struct object_state *state,
                                                              const void *address, size_t size,
                                                              uint32_t object,
                                                              enum op_access access)
{
    const struct object *known = &the_board->objects[object];
    if (unlikely(ex.aliases != NULL))
        address = name_range(address, size);
    touch(state, access);
    if (unlikely(known->bytes < size && known->bytes < BYTES_MAX))
        widen(address, size, object, access);
    if (unlikely(known->overlaps))
        touch_bytes(address, size, access);
    if (unlikely(rt.memory.frees))
        touch_block(address, object);
    discipline_touch(address, size, op_access_writes(access));
}

void touch_memory(const void *address, size_t size, uint32_t object, enum op_access access)
{
    touch_parts(ex.me->object, address, size, object, access); /* the one that was announced */
}

void touch_also(const void *address, size_t size, enum op_access access)
{
    uint32_t object = object_number(address);
    touch_parts(object_state(object), address, size, object, access);
}

void touch_used(const void *object)
{
    if (unlikely(rt.memory.frees))
        touch_block(object, object_number(object));
}

void touch_freed(uint32_t object)
{
    if (!the_board->objects[object].freed)
        the_board->flight.overlap_seen = 1;
    the_board->objects[object].freed = 1;
    rt.memory.frees = true;
    memory_quicken();
    touch(object_state(object), OP_ACCESS_WRITE);
}
