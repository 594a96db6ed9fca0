/* Why a finding is one, in one plain sentence with names. */
#ifndef COORDINATOR_WHY_H
#define COORDINATOR_WHY_H

#include "core/verdict.h"

/* Never NULL. All names have been filled in. */
const char *why_text(const struct reported *reported);

/* The same for wrong output, where what is right is known: with the first line that differs. */
const char *why_output(const struct reported *reported);

#endif
