/* Describes an execution that was run in full detail, in names instead of numbers. */
#ifndef COORDINATOR_EXPLAIN_STORY_H
#define COORDINATOR_EXPLAIN_STORY_H

#include "coordinator/symbols/symbols.h"

struct board;

/* Fills in all parts of `out` that come from the board: steps, waits, stacks, names. `finding` is
 * the number of the finding on this board, or FINDINGS_MAX if it did not show again. */
void story_tell(struct reported *out, const struct board *board, uint32_t finding);

#endif
