/* One board and the worker that searches on it: started, watched, and started again when it dies.
 */
#ifndef COORDINATOR_MEMBER_H
#define COORDINATOR_MEMBER_H

#include "coordinator/budget.h"
#include "coordinator/pulse.h"
#include "coordinator/worker_pool.h"

struct exploration {
    enum stop_reason stopped;
    const char *refusal; /* what was refused; STOP_REFUSED */
    uint64_t refusal_site;
    const char *fallback; /* why reset gave way to fork; NULL: it did not */
    uint32_t deaths;      /* workers that ended before they should */
    double seconds;
};

struct member {
    const struct board_handle *handle;
    struct board *board;
    struct worker *worker;
    bool finished;    /* no worker will be started any more */
    uint32_t started; /* board.started before the worker that runs */
    uint32_t failed_starts;
    uint64_t sequence; /* where the last one died */
    uint32_t deaths_there;
    bool killed_for_hang;
    bool recalled;    /* we ended it, to start it in another way */
    int start_errors; /* standard error of the last attempt to start; -1: not kept */
    uint32_t taken;   /* the last parcel that was taken from its outbox */
    double since;     /* when it got what it is at, if that comes from the crown, … */
    uint64_t before;  /* … and how many executions it had run */
    struct pulse pulse;
};

enum next { NEXT_START, NEXT_FINISH, NEXT_FAIL };

struct member member_open(const struct board_handle *handle);
void member_close(struct member *member);
bool member_start(struct member *member, struct worker_pool *pool, struct worker_output to,
                  struct problem *why);
/* Urges on or ends a worker that hangs. */
void member_look(struct member *member, double hang_seconds);
/* Ends the worker; what it was doing is done again by the next one. */
void member_recall(struct member *member);
/* Its worker has ended: what now? */
enum next member_ended(struct member *member, int status, const struct job *job, bool stopping,
                       struct exploration *out, struct problem *why);
/* The worker waits for the bell, and all that it did is sealed. */
bool member_rests(const struct member *member);

#endif
