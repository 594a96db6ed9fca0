/* Functions of libc and libm that the program uses and of which nothing is seen: neither does the
 * runtime replace them, nor are they known to access nothing that threads share (core/local.def).
 */
#ifndef COORDINATOR_UNKNOWN_FUNCTIONS_H
#define COORDINATOR_UNKNOWN_FUNCTIONS_H

#include "core/wire.h"

struct unknown_functions {
    const char **names; /* each once, in the order of the modules' symbol tables */
    uint32_t count;
    const char *claim; /* what the claim says of them; NULL: there are none */
};

/* Read from the undefined dynamic symbols of the program and of its modules. A module of the system
 * is not looked at: what it calls is part of what its functions do. */
struct unknown_functions unknown_functions_find(const struct board *board);

#endif
