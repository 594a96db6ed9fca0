#include "core/address_name.h"

#include "base/assert.h"

/* From the lowest bit: kind, number of the module, distance (modulo 2^48), marks. */
enum kind { KIND_NONE, KIND_PLACE, KIND_MODULE, KIND_MAPPING };
enum { KIND_BITS = 2, MODULE_BITS = 8, PLACE_BITS = 48, ADDRESS_BITS = 62 };
enum { PLACE_AT = KIND_BITS + MODULE_BITS, MARKS_AT = PLACE_AT + PLACE_BITS };

_Static_assert(MODULES_MAX <= 1 << MODULE_BITS, "a name has room for each module");

#define PLACES   ((1ul << PLACE_BITS) - 1)
#define OWN_LOW  0x100000000000ul /* ranges of Bohr's own (runtime/engine/plan.h) */
#define OWN_HIGH 0x300000000000ul /* the kernel maps above this what has no address of its own */

static uint64_t name(enum kind kind, uint64_t module, uint64_t place)
{
    return (uint64_t)kind | module << KIND_BITS | (place & PLACES) << PLACE_AT;
}

/* Base of the first library that is a file. The loader maps the rest of them, and the program its
 * own memory, at fixed distances from there; the kernel's own library lies anywhere. */
static uint64_t first_library(const struct board *board)
{
    for (uint32_t i = 1; i < board->modules_at_start; i++)
        if (board->modules[i].path[0] == '/')
            return board->modules[i].base;
    return 0;
}

static uint64_t name_of_place(const struct board *board, uint64_t place)
{
    if (place >= OWN_LOW && place < OWN_HIGH)
        return name(KIND_PLACE, 0, place);
    for (uint32_t i = 0; i < board->modules_at_start; i++) {
        const struct module *module = &board->modules[i];
        if (place >= module->start && place < module->end)
            return name(KIND_MODULE, i, place - module->base);
    }
    if (place < OWN_LOW)
        return name(KIND_PLACE, 0, place);
    return name(KIND_MAPPING, 0, first_library(board) - place);
}

uint64_t address_name(const struct board *board, uint64_t address)
{
    uint64_t marks = address >> ADDRESS_BITS;
    return address == 0 ? 0 : name_of_place(board, address & PLACES) | marks << MARKS_AT;
}

uint64_t address_named(const struct board *board, uint64_t name)
{
    uint64_t module = name >> KIND_BITS & ((1ul << MODULE_BITS) - 1);
    uint64_t place = name >> PLACE_AT & PLACES, marks = name >> MARKS_AT << ADDRESS_BITS;
    switch ((enum kind)(name & ((1 << KIND_BITS) - 1))) {
    case KIND_NONE:
        return 0;
    case KIND_PLACE:
        return place | marks;
    case KIND_MODULE:
        return module < board->modules_at_start
                   ? ((board->modules[module].base + place) & PLACES) | marks
                   : 0;
    case KIND_MAPPING:
        return ((first_library(board) - place) & PLACES) | marks;
    }
    UNREACHABLE();
}

uint64_t address_moved(const struct board *to, const struct board *from, uint64_t address)
{
    bool known = to->modules_at_start > 0 && from->modules_at_start > 0;
    return known ? address_named(to, address_name(from, address)) : address;
}
