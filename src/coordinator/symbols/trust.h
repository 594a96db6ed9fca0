/* Functions and libraries whose operations are no scheduling points (--trust). */
#ifndef COORDINATOR_SYMBOLS_TRUST_H
#define COORDINATOR_SYMBOLS_TRUST_H

#include <stddef.h>

#include "base/problem.h"
#include "core/options.h"

/* Appends names, separated by commas. */
bool trust_add(struct trust *trust, const char *names, struct problem *why);

/* Looks the names up among the functions of the program. Names that are no functions are
 * libraries. */
bool trust_find(struct trust *trust, const char *program, struct problem *why);

/* Whether the name means this function of the symbol table. `write` also means `write.part.0`, and
 * `Log::write` all functions of that name, whatever they take. */
bool trust_names(const char *symbol, const char *name, size_t length);

#endif
