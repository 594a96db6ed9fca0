/* What `best` runs first, as the command line says it: numbers of rows of
 * strategy/priorities.def. */
#ifndef CORE_HIERARCHY_H
#define CORE_HIERARCHY_H

#include <stdint.h>

enum { PRIORITIES_MAX = 15, NAMED_TEXT_MAX = 256, NAMED_RANGES_MAX = 32 };

enum named_kind { NAMED_FUNCTIONS, NAMED_VARIABLES, NAMED_KINDS };

struct interest {               /* functions or variables that the user cares for */
    char names[NAMED_TEXT_MAX]; /* as given, separated by commas */
    uint32_t range_count, reserved;
    struct {
        uint64_t start, end; /* from the program's base; for a strategy: as they are */
    } ranges[NAMED_RANGES_MAX];
};

struct hierarchy { /* the first counts most */
    uint8_t count;
    uint8_t kinds[PRIORITIES_MAX];
    struct interest named[NAMED_KINDS];
};

#endif
