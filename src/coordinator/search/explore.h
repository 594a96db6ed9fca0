/* Runs one search from beginning to end: starts workers, watches them and restarts them, until the
 * boards say that the search is over, or no worker can go on. */
#ifndef COORDINATOR_SEARCH_EXPLORE_H
#define COORDINATOR_SEARCH_EXPLORE_H

#include "coordinator/share/member.h"

struct crew;
struct crew_left;

/* For a search that may be left before its end and continued another time. */
struct leaving {
    const struct crew_left *left; /* the search continues from here; NULL: it begins */
    /* why reset had given way to fork in the earlier part; NULL: it had not */
    const char *fallback;
    /* Called when the search was interrupted or came to a limit, and work remains. The boards are
     * then as the next run needs them. May be NULL. */
    void (*leave)(void *context, const struct crew *crew, const struct exploration *so_far);
    void *context;
};

/* Runs one worker for each of the boards. Their merged results are on the first board in the end.
 * `leaving` may be NULL. Returns false on an internal error, with the message in `why`. */
bool explore(struct worker_pool *pool, const struct board_handle *boards, uint32_t count,
             struct worker_output to, struct budget *budget, const struct leaving *leaving,
             struct exploration *out, struct problem *why);

#endif
