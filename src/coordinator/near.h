/* Names that are like one that there is not: for hints in messages. */
#ifndef COORDINATOR_NEAR_H
#define COORDINATOR_NEAR_H

#include <stddef.h>
#include <stdint.h>

enum { NEAR_MAX = 3 };

struct near { /* the most alike first */
    uint32_t count, distances[NEAR_MAX];
    const char *names[NEAR_MAX];
};

/* Looks at one name of so many letters; kept if few letters differ from those of the one that was
 * asked for. */
void near_add(struct near *near, const char *name, size_t length, const char *asked,
              size_t asked_length);
/* "; there is ONE, OTHER", or nothing. */
const char *near_text(const struct near *near);

#endif
