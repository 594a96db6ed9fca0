/* Writing the reports that the user asked for. */
#ifndef CLI_PRESENT_H
#define CLI_PRESENT_H

#include "cli/options.h"
#include "core/verdict.h"

bool present(const struct verdict *verdict, const struct settings *settings, struct problem *why);

#endif
