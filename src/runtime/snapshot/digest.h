/* A hash of what the program's memory holds, whoever wrote it: all that is writable but for the
 * stacks of threads. */
#ifndef RUNTIME_SNAPSHOT_DIGEST_H
#define RUNTIME_SNAPSHOT_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

struct digest; /* what is mapped */

/* Words that hold a time near a clock's, in one of its units: they are all alike, or differ only by
 * how far from the clock they are. */
enum digest_unit { UNIT_NANOSECONDS, UNIT_MICROSECONDS, UNIT_MILLISECONDS, UNIT_SECONDS, UNITS };
enum { DIGEST_CLOCKS = 2 };
enum { DIGEST_KNOWN = 256 };
struct digest_known { /* times of a loop that keeps a schedule: those that move with the clock */
    enum { FIND_FIXED, LEAVE_FIXED, FIND_MOVING, MOVING } stage;
    struct digest_list {
        uint32_t count;
        struct {
            const uint64_t *at;
            uint64_t value;
            bool part;     /* of a second */
            bool parted;   /* one is behind it, and both are its value */
            uint32_t unit; /* counted over the clocks, from 1 */
        } all[DIGEST_KNOWN];
    } fixed, moving;
};
struct digest_times {
    bool alike;
    struct digest_known *known; /* NULL: all times count that are near a clock's */
    bool on_stack;              /* there lie parts of seconds alone, too */
    uint64_t leap; /* nanoseconds by which those that move are carried on; 0: they stay */
    uint64_t now[DIGEST_CLOCKS][UNITS];
};
void digest_see_times(const struct digest_times *times); /* from now on; NULL: words as they are */

/* Threads from this one on are named by how many came after them, in digests; 0: none are. */
void digest_rename(uint32_t first);
uint64_t digest_name(uint32_t thread);
uint64_t digest_pointer(uint64_t word); /* to what is theirs */

struct digest *
digest_begin(void); /* lives as long as the execution; what is mapped later is not seen */
/* 0: there is too much of it. What was looked at is taken off the number of pages. */
uint64_t digest_memory(struct digest *digest, uint64_t *pages_left);
uint64_t digest_range(const char *low, const char *high); /* 0: nothing but zeros */

#endif
