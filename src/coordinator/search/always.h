/* Errors that every execution has, whatever the order of its steps. A search that stopped at such
 * an error would never find those that depend on the order.
 *
 * So the coordinator runs a few executions of other orders. If all of them fail, the search
 * restarts and goes on past the error: heap errors no longer end an execution, and none of these
 * errors ends the search. An execution that passes shows that the error depends on the order after
 * all. Then the search stops, as at any other error. */
#ifndef COORDINATOR_SEARCH_ALWAYS_H
#define COORDINATOR_SEARCH_ALWAYS_H

#include "coordinator/search/explore.h"

/* Index of an error that all executions on the board have and whose key is not in options.always;
 * FINDINGS_MAX: none. */
uint32_t always_candidate(const struct board *board);
/* Runs executions of other orders. Returns whether all of them fail, with this error among them. */
bool always_is_shown(struct worker_pool *pool, const struct board *board, uint32_t candidate,
                     struct budget *budget);
/* Lets the next search go on past the error. Returns false if there is no room for one more. */
bool always_add(struct options *options, const struct finding *finding);
/* Before the next search: copies the errors that it goes on past to its first board. */
void always_begin(struct board *next, const struct board *before);
/* After the search: adds an error that only the execution before the search showed, since it does
 * not show each time. If the search ran nothing, that execution counts. */
void always_keep(struct board *board, const struct board *first);
/* After the last search: sets the counts and marks of these errors from all its executions. */
void always_conclude(struct board *board);

/* Whether the board has an error that ends a search. */
bool board_has_error(const struct board *board);

#endif
