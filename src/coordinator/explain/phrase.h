/* Puts the explanation of a finding into words. */
#ifndef COORDINATOR_EXPLAIN_PHRASE_H
#define COORDINATOR_EXPLAIN_PHRASE_H

#include "core/verdict.h"

#define CAUSE_PERHAPS "perhaps " /* begins a cause that was not checked by executions */

/* "T2 read head at line 40 before T1 wrote it at line 22" */
const char *phrase_order(const struct reported *reported, const struct ordering *order);
/* Fills in explanation.lines. The rest of the explanation must be filled in already. */
void phrase_explanation(struct reported *reported);

#endif
