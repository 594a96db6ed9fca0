/* Writes the reports that the user asked for. */
#ifndef CLI_PRESENT_H
#define CLI_PRESENT_H

#include "cli/settings.h"
#include "core/verdict.h"

/* Whether all files can be written, as far as can be told before the search. */
bool present_is_possible(const struct settings *settings, struct problem *why);
bool present(const struct verdict *verdict, const struct settings *settings, struct problem *why);

#endif
