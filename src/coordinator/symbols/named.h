/* Functions and variables that the user named for a priority of `best`. */
#ifndef COORDINATOR_SYMBOLS_NAMED_H
#define COORDINATOR_SYMBOLS_NAMED_H

#include "base/problem.h"
#include "core/hierarchy.h"

/* Looks the names up in the program. An unknown name is an error, and the message suggests similar
 * ones. */
bool named_find(struct hierarchy *hierarchy, const char *program, struct problem *why);

#endif
