/* One plain sentence with names that says what is wrong in a finding. */
#ifndef COORDINATOR_EXPLAIN_WHY_H
#define COORDINATOR_EXPLAIN_WHY_H

#include "core/verdict.h"

/* Never NULL. All names of `reported` must be filled in. */
const char *why_text(const struct reported *reported);

/* The sentence for wrong output, where the right output is known: with the first line that
 * differs. */
const char *why_output(const struct reported *reported);

#endif
