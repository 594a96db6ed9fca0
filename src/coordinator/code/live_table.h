/* The table of what is live after each call in the instrumented functions of a program
 * (core/live.h), as memory that nobody can write to any more. It is made once for each program,
 * when a worker is started that compares local states. */
#ifndef COORDINATOR_CODE_LIVE_TABLE_H
#define COORDINATOR_CODE_LIVE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct live_file {
    int fd;
    uint64_t size, sum; /* size 0: nothing is known of the program's code, and all counts as live */
};

/* Of the program at this path. */
struct live_file live_table_of(const char *path);

#endif
