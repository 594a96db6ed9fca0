/* Sixty-four bytes that a race detector of the test's own watches, and what it said of them. */
#ifndef SUPPORT_WATCHED_H
#define SUPPORT_WATCHED_H

#include "detector/race.h"

enum { WATCHED_BYTES = 64, TOLD_MAX = 256 };

struct told {
    struct race_place earlier;
    uint32_t offset; /* of the later access */
    uint8_t size;
    bool writes, atomic;
    bool after_free; /* a use after free, not a race */
    uint64_t site;   /* of the later access */
};

extern struct race watched;
extern struct told told[TOLD_MAX];
extern uint32_t told_count;

void watched_clear(void);            /* all forgotten, cells too */
void watched_open(uint32_t threads); /* a new execution with thread 0; cells stay as they are */
void watched_checkpoint(void);       /* what came before is a set-up */
void watched_return(void);           /* a new execution, begun at the checkpoint */

void watched_plain(uint32_t offset, uint32_t size, bool writes, uint64_t site);
void watched_free(uint32_t offset, uint32_t size, uint64_t site);
void watched_renew(uint32_t offset, uint32_t size);
/* A use of the synchronisation object that begins at this offset. */
void watched_use(uint32_t offset, uint64_t site);
/* An atomic access of the location that begins at this offset. */
void watched_atomic(uint32_t offset, uint8_t size, struct race_atomic atomic, uint64_t site);

#endif
