/* Finds the functions, inlined functions and blocks of the debug information around an address.
 *
 * dwarf_getscopes searches a whole compilation unit for each address, which takes longer than a
 * small search. Here the functions of a unit are listed once, sorted by address, and only the
 * function that holds the address is searched. */
#ifndef COORDINATOR_SYMBOLS_SCOPES_H
#define COORDINATOR_SYMBOLS_SCOPES_H

#include <elfutils/libdw.h>
#include <stddef.h>

struct scopes { /* the units that were asked for; all zero: none so far */
    struct unit_functions {
        Dwarf *file;
        Dwarf_Off unit; /* offset of the unit in the file */
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
 * their number; 0: no function is known to hold the address. */
size_t scopes_at(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die out[SCOPES_MAX]);

#endif
