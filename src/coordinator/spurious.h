/* The second search of the default strategy, in which one wake-up of a condition variable may be
 * spurious. The first has none: most bugs need none, and there are fewer executions without. */
#ifndef COORDINATOR_SPURIOUS_H
#define COORDINATOR_SPURIOUS_H

#include "coordinator/board.h"
#include "coordinator/member.h"
#include "core/claim.h"

enum { SPURIOUS_SECOND = 1 }; /* wake-ups in an execution of the second search */

/* Whether the first search leaves the second something to do. */
bool spurious_is_wanted(const struct board *first, const struct exploration *exploration);
/* Options of the second search, and what it knows from the first. */
struct options spurious_options(const struct board *first);
void spurious_begin(struct board *second, const struct board *first);
/* The results of the second search stand for both, unless it was left unfinished and showed nothing
 * that the first has not shown. */
bool spurious_counts(const struct board *second, const struct board *first);
void spurious_join(struct board *second, const struct board *first);
/* What the first search proved, for a note. */
const char *spurious_note(const struct board *first, enum stop_reason stopped);

#endif
