/* Options whose values have a grammar of their own. */
#ifndef CLI_OPTION_LISTS_H
#define CLI_OPTION_LISTS_H

#include "cli/settings.h"

bool parse_priority(struct settings *out, const char *value, const char *name, struct problem *why);
bool parse_fault(struct settings *out, const char *value, const char *name, struct problem *why);

#endif
