/* What `best` runs first, as the command line says it: numbers of rows of strategy/priorities.def. */
#ifndef CORE_HIERARCHY_H
#define CORE_HIERARCHY_H

#include <stdint.h>

enum { PRIORITIES_MAX = 15 };

struct hierarchy { /* the first counts most */
    uint8_t count;
    uint8_t kinds[PRIORITIES_MAX];
};

#endif
