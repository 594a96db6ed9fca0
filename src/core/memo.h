/* The memory of a strategy from one run to the next (--remember): keys that only this strategy
 * understands. */
#ifndef CORE_MEMO_H
#define CORE_MEMO_H

#include <stdint.h>

enum { MEMO_MAX = 1 << 16 };

struct memo { /* lies on the board; keys beyond `count` are free */
    uint64_t count;
    uint64_t keys[MEMO_MAX][2];
};

#endif
