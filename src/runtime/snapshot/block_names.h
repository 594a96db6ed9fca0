/* Words as they count in the state of the program: what points to a thread's stack or to a block of
 * the heap counts by what it points to, not by the address. Blocks are numbered in the order in
 * which they are come upon, from global variables and stacks on (canonical numbering: Iosif 2001,
 * Musuvathi and Dill 2004); so where a block lies, and how many were allocated and freed before it,
 * makes no difference. */
#ifndef RUNTIME_SNAPSHOT_BLOCK_NAMES_H
#define RUNTIME_SNAPSHOT_BLOCK_NAMES_H

#include "runtime/engine/runtime.h"

struct known_block {
    const uint64_t *start;
    size_t size;
    bool freed;
};

bool blocks_open(void);             /* false: no memory */
void blocks_begin(void);            /* a new state: none is numbered */
uint64_t block_word(uint64_t word); /* numbers the block that it points to */
/* One more that lives and that nothing points to, so far. */
enum unreached {
    UNREACHED_NONE,
    UNREACHED_NUMBERED,
    UNREACHED_UNKNOWN /* its header was written over */
};
enum unreached blocks_number_unreached(void);
bool blocks_are_too_many(void);
uint32_t blocks_numbered(void);
const struct known_block *block_nth(uint32_t number); /* from 0 */
uint64_t block_place(uint32_t number); /* 0, or the address of one that nothing points to */

/* Memory that is accessed by plain accesses and by atomic ones, in whatever execution so
 * far, also of a process before this one. Of some places more it may seem so. */
enum access_kind { ACCESS_PLAIN, ACCESS_ATOMIC };
bool access_mixes(const volatile void *address, enum access_kind kind, bool *for_the_first_time);

#endif
