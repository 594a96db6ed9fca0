/* Puts names and source lines to what the board says of findings in addresses. */
#ifndef COORDINATOR_VERDICT_NAME_FINDINGS_H
#define COORDINATOR_VERDICT_NAME_FINDINGS_H

#include "core/verdict.h"

struct board;
struct exploration;

/* Fills in what is known of a finding without running it again. */
void name_places(struct reported *reported, const struct board *board);
/* confirm() names the first pair only. */
void name_pairs(struct reported *reported, const struct board *board, const struct finding *found);
/* Demangles exception types. Only now: until here they are compared and written to replay files. */
void name_exceptions(struct verdict *out);
void name_refusal(struct verdict *out, const struct board *board,
                  const struct exploration *exploration);

#endif
