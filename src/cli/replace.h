/* Writes a file completely or not at all: beside its place first, then moved there at the end. */
#ifndef CLI_REPLACE_H
#define CLI_REPLACE_H

#include <stdio.h>

#include "base/problem.h"

struct replacement {
    FILE *file;
    const char *path, *early, *what;
};

/* `what` is the message for a failure, such as "cannot write the results". */
bool replacement_open(struct replacement *out, const char *path, const char *what,
                      struct problem *why);
bool replacement_close(struct replacement *replacement, struct problem *why);
void replacement_drop(struct replacement *replacement); /* the existing file stays */
/* Whether the file could be opened, as far as can be told before. Leaves nothing behind. */
bool replacement_is_possible(const char *path, const char *what, struct problem *why);

#endif
