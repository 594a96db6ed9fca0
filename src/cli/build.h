/* Builds a source file into a program, in a folder that is removed at the end. */
#ifndef CLI_BUILD_H
#define CLI_BUILD_H

#include "base/problem.h"

struct built {
    const char *folder, *program;
};

bool build_source(struct built *out, const char *source, struct problem *why);
void build_remove(const struct built *built);

#endif
