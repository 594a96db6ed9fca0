/* Code of the program and its libraries that was not instrumented: its accesses were not seen, and
 * what it does to order threads neither. */
#ifndef COORDINATOR_UNSEEN_H
#define COORDINATOR_UNSEEN_H

#include "core/wire.h"

enum { UNSEEN_MAX = 64 };

struct unseen {
    const char *names[UNSEEN_MAX]; /* "libplain.so", "plain.c", "assembler in swap (lock.c:6)" */
    uint32_t count;                /* of these; more are not listed */
    uint32_t code, assembler;      /* all that there is, of each sort */
    const char *claim;             /* what the claim says of it; NULL: all code was seen */
    const char *doubt;             /* what is said of a race that such code may order */
};

struct unseen unseen_find(const struct board *board);

#endif
