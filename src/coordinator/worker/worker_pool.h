/* The processes that search: starts them, waits for what happens to them, ends them.
 *
 * A worker is the tested program with the runtime preloaded. Each runs in a process group of its
 * own, so that a key press reaches only bohr, and a kill reaches all that the worker forked. */
#ifndef COORDINATOR_WORKER_WORKER_POOL_H
#define COORDINATOR_WORKER_WORKER_POOL_H

#include <sys/types.h>

#include "coordinator/worker/boards.h"
#include "coordinator/worker/job.h"

struct worker {
    pid_t pid; /* 0: not running */
    const struct board_handle *board;
};

struct worker_pool {
    const struct job *job;
    struct worker workers[WORKERS_MAX];
    int common;       /* descriptor of a struct common; -1: no search is shared */
    int signals;      /* signalfd for SIGCHLD, SIGINT, SIGTERM and SIGHUP */
    bool interrupted; /* the user interrupted: optional work is no longer begun */
    /* a search has seen a thread that came to no operation: executions of its findings have that
     * thread, too */
    bool busy;
    double cpu_seconds;  /* of all workers that ended */
    uint64_t peak_bytes; /* of the largest worker that ended */
};

enum pool_event_kind { POOL_QUIET, POOL_INTERRUPTED, POOL_ENDED };

struct pool_event {
    enum pool_event_kind kind;
    struct worker *worker; /* for POOL_ENDED: the worker that ended, and its wait status */
    int status;
};

struct worker_output { /* descriptors for the worker's standard output and error; -1: nowhere */
    int output, errors;
};

/* How long an execution of a finding may not move; less than in the search if that is known to
 * happen. */
double worker_pool_patience(const struct worker_pool *pool);
bool worker_pool_open(struct worker_pool *pool, const struct job *job, struct problem *why);
void worker_pool_close(struct worker_pool *pool); /* ends workers that still run */
/* To be called before the first of several workers that share a search is started. */
bool worker_pool_share(struct worker_pool *pool, struct problem *why);
struct worker *worker_start(struct worker_pool *pool, const struct board_handle *board,
                            struct worker_output to, struct problem *why); /* NULL: it failed */
struct pool_event worker_pool_wait(struct worker_pool *pool, int timeout_ms);
/* Whether the user has interrupted since the last call of this or of worker_pool_wait. */
bool worker_pool_is_interrupted(struct worker_pool *pool);
void worker_kill(struct worker *worker);

/* Environment variables ("NAME=value") that a process needs to become a worker, ended by NULL. It
 * also needs descriptors. */
char **worker_environment(const struct job *job);
/* The descriptor of the table of what is live, which is noted on the board, and the same for all
 * workers of a search; -1: the worker gets none. */
bool live_for(const struct job *job, struct board *board, int *fd, struct problem *why);
int worker_board_descriptor(void); /* the number under which it finds the board */

#endif
