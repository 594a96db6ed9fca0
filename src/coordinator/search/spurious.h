/* The second search of the default strategy, in which one wake-up of a condition variable may be
 * spurious. The first search has none: most bugs need none, and there are fewer executions
 * without. */
#ifndef COORDINATOR_SEARCH_SPURIOUS_H
#define COORDINATOR_SEARCH_SPURIOUS_H

#include "coordinator/share/member.h"
#include "coordinator/worker/boards.h"
#include "core/claim.h"

enum { SPURIOUS_SECOND = 1 }; /* spurious wake-ups in an execution of the second search */

/* Whether the second search is worth running after the first. */
bool spurious_is_wanted(const struct board *first, const struct exploration *exploration);
/* The options of the second search, and what it takes over from the first. */
struct options spurious_options(const struct board *first);
void spurious_begin(struct board *second, const struct board *first);
/* Whether the results of the second search stand for both. They do not if it was left unfinished
 * and showed nothing that the first had not shown. */
bool spurious_counts(const struct board *second, const struct board *first);
void spurious_join(struct board *second, const struct board *first);
/* A note that says what the first search proved. */
const char *spurious_note(const struct board *first, enum stop_reason stopped);

#endif
