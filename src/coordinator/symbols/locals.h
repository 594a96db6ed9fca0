/* Names local variables by address, from the places in a frame that the debug information gives. */
#ifndef COORDINATOR_SYMBOLS_LOCALS_H
#define COORDINATOR_SYMBOLS_LOCALS_H

#include <elfutils/libdw.h>

#include "coordinator/symbols/scopes.h"
#include "core/naming.h"

/* The variable at an address, for a function at this pc of the unit. NULL: no variable with a name
 * and a place in memory covers the address. */
const char *local_name(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr pc,
                       const struct frame_range *range, uint64_t address);

/* "name.member" or "name[2]", for an offset in bytes from the beginning of a variable; NULL:
 * unknown. */
const char *variable_part(Dwarf_Die *variable, const char *name, uint64_t offset);

#endif
