/* One search from beginning to end: workers are started, watched and started again until the
 * boards say that the search is over, or nobody can go on. */
#ifndef COORDINATOR_EXPLORE_H
#define COORDINATOR_EXPLORE_H

#include "coordinator/member.h"

struct crew;
struct crew_left;

/* Of a search that may be left before its end, and go on another time. */
struct leaving {
    const struct crew_left *left; /* it goes on from here; NULL: it begins */
    const char *fallback; /* … and this is why reset had given way to fork; NULL: it had not */
    /* It was told to stop, or came to a limit, and something is left to do: the boards are as the
     * next one needs them. NULL: nobody wants to know. */
    void (*leave)(void *context, const struct crew *crew, const struct exploration *so_far);
    void *context;
};

/* One worker for each of the boards; the results of all are on the first of them in the end.
 * leaving may be NULL. false: the machine failed us, and why says how. */
bool explore(struct worker_pool *pool, const struct board_handle *boards, uint32_t count,
             struct worker_output to, struct budget *budget, const struct leaving *leaving,
             struct exploration *out, struct problem *why);

#endif
