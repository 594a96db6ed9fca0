/* Counts of the program states that a search has compared. */
#ifndef CORE_STATES_H
#define CORE_STATES_H

#include <stdint.h>

struct states_count {
    uint64_t known;      /* distinct states at scheduling points; 0: states are not compared */
    uint64_t unknown;    /* visits to states that could not be compared: each counts as a new one */
    uint64_t bytes;      /* memory that remembers states */
    uint32_t full;       /* there was no room for more states: some may have been explored again */
    uint32_t loops_lost; /* there was no room to look for livelocks in all states */
};

#endif
