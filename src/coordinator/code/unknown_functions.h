/* Functions of libc and libm that the program uses and whose effects are unknown: the runtime does
 * not replace them, and they are not known to access nothing that threads share
 * (core/local.def). */
#ifndef COORDINATOR_CODE_UNKNOWN_FUNCTIONS_H
#define COORDINATOR_CODE_UNKNOWN_FUNCTIONS_H

#include <stdint.h>

struct board;

struct unknown_functions {
    const char **names; /* each once, in the order of the modules' symbol tables */
    uint32_t count;
    const char *claim; /* a sentence for the claim; NULL: there are none */
};

/* Reads the undefined dynamic symbols of the program and of its modules. Modules of the system are
 * skipped: what they call is part of what their functions do. */
struct unknown_functions unknown_functions_find(const struct board *board);

#endif
