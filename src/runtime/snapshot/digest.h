/* A hash of what the program's memory holds, whoever wrote it: all that is writable but for the stacks of
 * threads. */
#ifndef RUNTIME_SNAPSHOT_DIGEST_H
#define RUNTIME_SNAPSHOT_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

struct digest; /* what is mapped */

/* Words that hold a time near a clock's, in one of its units: they are all alike, or differ only by how far from
 * the clock they are. */
enum digest_unit { UNIT_NANOSECONDS, UNIT_MICROSECONDS, UNIT_MILLISECONDS, UNIT_SECONDS, UNITS };
enum { DIGEST_CLOCKS = 2 };
struct digest_times {
    bool alike;
    uint64_t now[DIGEST_CLOCKS][UNITS];
};
void digest_see_times(const struct digest_times *times); /* from now on; NULL: words as they are */

struct digest *digest_begin(void); /* lives as long as the execution; what is mapped later is not seen */
/* 0: there is too much of it. What was looked at is taken off the number of pages. */
uint64_t digest_memory(const struct digest *digest, uint64_t *pages_left);
uint64_t digest_range(const char *low, const char *high); /* 0: nothing but zeros */

#endif
