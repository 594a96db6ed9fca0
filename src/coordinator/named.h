/* Functions and variables that the user has named for a priority of `best`. */
#ifndef COORDINATOR_NAMED_H
#define COORDINATOR_NAMED_H

#include "base/problem.h"
#include "core/hierarchy.h"

/* Looks them up in the program; a name that it does not have is refused, with some that are like
 * it. */
bool named_find(struct hierarchy *hierarchy, const char *program, struct problem *why);

#endif
