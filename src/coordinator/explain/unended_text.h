/* Describes an execution that was cut at the limit of steps and repeats its steps. */
#ifndef COORDINATOR_EXPLAIN_UNENDED_TEXT_H
#define COORDINATOR_EXPLAIN_UNENDED_TEXT_H

#include "core/verdict.h"

const char *unended_text(const struct reported *reported); /* one sentence, with lines */

#endif
