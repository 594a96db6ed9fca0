/* Code of the program and its libraries that was not instrumented. Its accesses were not seen, nor
 * was what it does to order threads. */
#ifndef COORDINATOR_CODE_UNSEEN_H
#define COORDINATOR_CODE_UNSEEN_H

#include <stdint.h>

struct board;

enum { UNSEEN_MAX = 64 };

struct unseen {
    const char *names[UNSEEN_MAX]; /* "libplain.so", "plain.c", "assembler in swap (lock.c:6)" */
    uint32_t count;                /* of `names`; more are not listed */
    uint32_t code, assembler;      /* number of all places, of each sort */
    uint32_t copies;               /* instructions that compilers do not instrument */
    uint32_t made;                 /* 1: the program made code at run time */
    const char *claim;             /* a sentence for the claim; NULL: all code was seen */
    const char *doubt; /* why a race that such code may order is only a warning; NULL: it is none */
};

struct unseen unseen_find(const struct board *board);

#endif
