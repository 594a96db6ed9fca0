/* One board and the worker that searches on it: started, watched, and restarted when it dies. */
#ifndef COORDINATOR_SHARE_MEMBER_H
#define COORDINATOR_SHARE_MEMBER_H

#include "coordinator/worker/budget.h"
#include "coordinator/worker/pulse.h"
#include "coordinator/worker/worker_pool.h"

struct exploration {
    enum stop_reason stopped;
    const char *refusal; /* what was refused, for STOP_REFUSED */
    uint64_t refusal_site;
    const char *fallback; /* why reset gave way to fork; NULL: it did not */
    uint32_t deaths;      /* workers that died before their time */
    double seconds;
};

struct member {
    const struct board_handle *handle;
    struct board *board;
    struct worker *worker;
    bool finished;    /* no worker will be started any more */
    uint32_t started; /* board.started before the current worker was started */
    uint32_t failed_starts;
    uint64_t sequence; /* journal sequence at which the last worker died */
    uint32_t deaths_there;
    bool killed_for_hang;
    bool recalled;    /* the coordinator ended the worker to start it in another way */
    int start_errors; /* standard error of the last attempt to start; -1: not kept */
    uint32_t taken;   /* number of the last parcel taken from the outbox */
    double since;     /* when the worker got its current subtree from the crown */
    uint64_t before;  /* executions that the worker had run when it got that subtree */
    struct pulse pulse;
};

enum next { NEXT_START, NEXT_FINISH, NEXT_FAIL };

struct member member_open(const struct board_handle *handle);
void member_close(struct member *member);
bool member_start(struct member *member, struct worker_pool *pool, struct worker_output to,
                  struct problem *why);
/* Urges a worker that hangs to end its execution, or kills it. `late`: the search is over. */
void member_look(struct member *member, double hang_seconds, bool late);
/* Ends the worker. The next worker repeats the execution in flight. */
void member_recall(struct member *member);
/* Decides what to do after the member's worker has ended. */
enum next member_ended(struct member *member, int status, const struct job *job, bool stopping,
                       struct exploration *out, struct problem *why);
/* Whether the worker waits for the bell with all its work sealed. */
bool member_rests(const struct member *member);

#endif
