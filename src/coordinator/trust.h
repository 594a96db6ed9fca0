/* Functions and libraries whose operations are no scheduling points (--trust). */
#ifndef COORDINATOR_TRUST_H
#define COORDINATOR_TRUST_H

#include "base/problem.h"
#include "core/wire.h"

/* Names, separated by commas, behind those that are there already. */
bool trust_add(struct trust *trust, const char *names, struct problem *why);

/* Looks the names up among the functions of the program; those that are none are libraries. */
bool trust_find(struct trust *trust, const char *program, struct problem *why);

/* Whether a function of the symbol table is meant by this name: `write` is also `write.part.0`,
 * `Log::write` all of that name, whatever they take. */
bool trust_names(const char *symbol, const char *name, size_t length);

#endif
