/* Names global variables by address, with the member or element at that address. */
#ifndef COORDINATOR_SYMBOLS_GLOBALS_H
#define COORDINATOR_SYMBOLS_GLOBALS_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

struct globals { /* the variables of one module; all zero: no module was read yet */
    Dwfl_Module *module;
    struct global {
        uint64_t address;
        Dwarf_Die die;
    } * items;
    size_t count, capacity;
};

/* `name` is the name of the variable that begins at `start`. Returns "queue.head" or "slots[2]" for
 * a part of it; NULL: the debug information does not describe its parts. */
const char *global_part(struct globals *globals, Dwfl_Module *module, const char *name,
                        uint64_t start, uint64_t offset);

#endif
