/* States of the program that a search has compared. */
#ifndef CORE_STATES_H
#define CORE_STATES_H

#include <stdint.h>

struct states_count {
    uint64_t known;      /* distinct ones at scheduling points; 0: they are not compared */
    uint64_t unknown;    /* visits to states that could not be compared: each counts as a new one */
    uint64_t bytes;      /* of memory that remembers them */
    uint32_t full;       /* there was no room for more: some may have been explored again */
    uint32_t loops_lost; /* … to look for livelocks in all of them */
};

#endif
