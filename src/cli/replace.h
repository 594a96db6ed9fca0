/* Files that are there whole or not at all: written beside their place and moved there at the end.
 */
#ifndef CLI_REPLACE_H
#define CLI_REPLACE_H

#include <stdio.h>

#include "base/problem.h"

struct replacement {
    FILE *file;
    const char *path, *early, *what;
};

/* what says in a sentence what goes wrong, such as "cannot write the results". */
bool replacement_open(struct replacement *out, const char *path, const char *what,
                      struct problem *why);
bool replacement_close(struct replacement *replacement, struct problem *why);
void replacement_drop(struct replacement *replacement); /* what it was to replace stays */
/* Whether it could be opened, as far as one can tell before; leaves nothing behind. */
bool replacement_is_possible(const char *path, const char *what, struct problem *why);

#endif
