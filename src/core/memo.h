/* What a strategy remembers from one run to the next (--remember): keys that mean something to it
 * alone. */
#ifndef CORE_MEMO_H
#define CORE_MEMO_H

#include <stdint.h>

enum { MEMO_MAX = 1 << 16 };

struct memo { /* on the board; beyond the count: free */
    uint64_t count;
    uint64_t keys[MEMO_MAX][2];
};

#endif
