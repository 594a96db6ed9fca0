/* The priorities that the strategy `best` orders executions by, as the command line gives them:
 * numbers of rows of strategy/guided/priorities.def. */
#ifndef CORE_HIERARCHY_H
#define CORE_HIERARCHY_H

#include <stdint.h>

enum { PRIORITIES_MAX = 15, NAMED_TEXT_MAX = 256, NAMED_RANGES_MAX = 32 };

enum named_kind { NAMED_FUNCTIONS, NAMED_VARIABLES, NAMED_KINDS };

struct interest {               /* functions or variables that the user is interested in */
    char names[NAMED_TEXT_MAX]; /* names as the user gave them, separated by commas */
    uint32_t range_count, reserved;
    struct {
        /* offsets from the program's base; a strategy gets absolute addresses */
        uint64_t start, end;
    } ranges[NAMED_RANGES_MAX];
};

struct hierarchy { /* priorities, the most important first */
    uint8_t count;
    uint8_t kinds[PRIORITIES_MAX];
    struct interest named[NAMED_KINDS];
};

#endif
