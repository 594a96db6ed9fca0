/* The processes that search: start them, wait for what happens to them, end them.
 *
 * A worker is the tested program with our runtime preloaded. Each runs in a process group of its
 * own, so that a key press reaches only us and an end reaches all that it forked. */
#ifndef COORDINATOR_WORKER_POOL_H
#define COORDINATOR_WORKER_POOL_H

#include <sys/types.h>

#include "coordinator/board.h"
#include "coordinator/job.h"

struct worker {
    pid_t pid; /* 0: not running */
    const struct board_handle *board;
};

struct worker_pool {
    const struct job *job;
    struct worker workers[WORKERS_MAX];
    int common;          /* descriptor of a struct common; -1: nobody shares a search */
    int signals;         /* SIGCHLD, SIGINT and SIGTERM come out here */
    bool interrupted;    /* one of the last two came: nothing more is begun that can be left out */
    double cpu_seconds;  /* of all workers that ended */
    uint64_t peak_bytes; /* of the largest of them */
};

enum pool_event_kind { POOL_QUIET, POOL_INTERRUPTED, POOL_ENDED };

struct pool_event {
    enum pool_event_kind kind;
    struct worker *worker; /* POOL_ENDED: which, and its wait status */
    int status;
};

struct worker_output { /* where its standard output and error go; -1: nowhere */
    int output, errors;
};

bool worker_pool_open(struct worker_pool *pool, const struct job *job, struct problem *why);
void worker_pool_close(struct worker_pool *pool); /* ends those that still run */
/* Before the first of several workers that share a search is started. */
bool worker_pool_share(struct worker_pool *pool, struct problem *why);
struct worker *worker_start(struct worker_pool *pool, const struct board_handle *board,
                            struct worker_output to, struct problem *why); /* NULL: cannot */
struct pool_event worker_pool_wait(struct worker_pool *pool, int timeout_ms);
/* Since it was last asked, or an event said so. */
bool worker_pool_is_interrupted(struct worker_pool *pool);
void worker_kill(struct worker *worker);

/* What a process needs to become a worker, beside descriptors: variables ("NAME=value"), ended by
 * NULL. */
char **worker_environment(const struct job *job);
/* The descriptor of the table of what is live, which is noted on the board, and the same for all
 * workers of a search; -1: the worker gets none. */
bool live_for(const struct job *job, struct board *board, int *fd, struct problem *why);
int worker_board_descriptor(void); /* the number under which it finds the board */

#endif
