/* The functions, inlined functions and blocks of the debug information around an address.
 *
 * dwarf_getscopes looks at all of a compilation unit for each address, which takes longer than a
 * small search. Here the functions of a unit are listed once, in the order of their addresses, and
 * only the function that holds the address is looked into. */
#ifndef COORDINATOR_SCOPES_H
#define COORDINATOR_SCOPES_H

#include <elfutils/libdw.h>
#include <stddef.h>

struct scopes { /* of the units that were asked for; zero: of none so far */
    struct unit_functions {
        Dwarf *file;
        Dwarf_Off unit; /* where the file has it */
        struct function_range {
            Dwarf_Addr start, end;
            Dwarf_Die die;
        } * ranges;
        size_t count, capacity;
    } * units;
    size_t count;
};

enum { SCOPES_MAX = 64 };

/* The entries around an address of the unit, innermost first; the last one is the function. Returns
 * how many there are; 0: no function is known to hold the address. */
size_t scopes_at(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die out[SCOPES_MAX]);

#endif
