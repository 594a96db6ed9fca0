/* Local variables by their address, as the compiler's tables place them in a frame. */
#ifndef COORDINATOR_LOCALS_H
#define COORDINATOR_LOCALS_H

#include <elfutils/libdw.h>

#include "coordinator/scopes.h"
#include "core/wire.h"

/* At this pc of the unit; NULL: no variable that has a name and a place in memory covers the
 * address. */
const char *local_name(struct scopes *scopes, Dwarf_Die *unit, Dwarf_Addr pc,
                       const struct frame_range *range, uint64_t address);

/* "name.member" or "name[2]", for what lies so many bytes behind the beginning of a variable; NULL:
 * unknown. */
const char *variable_part(Dwarf_Die *variable, const char *name, uint64_t offset);

#endif
