/* Variables outside of functions by their address, with the member or element that lies there. */
#ifndef COORDINATOR_GLOBALS_H
#define COORDINATOR_GLOBALS_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

struct globals { /* of one module; zero: none was read yet */
    Dwfl_Module *module;
    struct global {
        uint64_t address;
        Dwarf_Die die;
    } * items;
    size_t count, capacity;
};

/* `name` is that of a variable that begins at `start`; returns "queue.head" or "slots[2]" for a
 * part of it, and NULL where the compiler's tables do not say what it is made of. */
const char *global_part(struct globals *globals, Dwfl_Module *module, const char *name,
                        uint64_t start, uint64_t offset);

#endif
