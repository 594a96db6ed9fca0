/* Errors that every execution has, whatever the order of its steps: a search that stopped at such
 * an error would never come to those that depend on the order. So the coordinator runs a few
 * executions of other orders. If all of them fail, the search restarts and goes on past the error:
 * heap errors no longer end an execution, and none of these errors ends the search. An execution
 * that passes shows that the error depends on the order after all. Then the search stops, as at any
 * other error. */
#ifndef COORDINATOR_ALWAYS_H
#define COORDINATOR_ALWAYS_H

#include "coordinator/explore.h"

/* An error that all executions on the board have, and whose key is not in options.always;
 * FINDINGS_MAX: there is none. */
uint32_t always_candidate(const struct board *board);
/* Runs executions of other orders: whether all of them fail, with this error among them. */
bool always_is_shown(struct worker_pool *pool, const struct board *board, uint32_t candidate,
                     struct budget *budget);
/* The next search goes on past the error; false: there is no room for one more. */
bool always_add(struct options *options, const struct finding *finding);
void always_forget(struct options *options, uint64_t key);
/* Before the next search: its first board has the errors that it goes on past. */
void always_begin(struct board *next, const struct board *before);
/* After the search: its board also has an error that only the execution before it showed, which
 * does not come out the same each time. A search that ran nothing counts that execution. */
void always_keep(struct board *board, const struct board *first);
/* After the last search: counts and marks are those of all its executions. */
void always_conclude(struct board *board);

/* An error that ends a search. */
bool board_has_error(const struct board *board);

#endif
