/* Finds existing names that are similar to an unknown one, for hints in messages. */
#ifndef COORDINATOR_SYMBOLS_NEAR_H
#define COORDINATOR_SYMBOLS_NEAR_H

#include <stddef.h>
#include <stdint.h>

enum { NEAR_MAX = 3 };

struct near { /* the most similar first */
    uint32_t count, distances[NEAR_MAX];
    const char *names[NEAR_MAX];
};

/* Considers a name of `length` letters. It is kept if it differs in few letters from the name that
 * was asked for. */
void near_add(struct near *near, const char *name, size_t length, const char *asked,
              size_t asked_length);
/* "; there is ONE, OTHER", or an empty text. */
const char *near_text(const struct near *near);

#endif
