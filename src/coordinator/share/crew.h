/* Workers that share one search. An idle worker gets part of a busy worker's pending work. A bound
 * is begun when all workers are through with the one before, and all restart together. */
#ifndef COORDINATOR_SHARE_CREW_H
#define COORDINATOR_SHARE_CREW_H

#include "coordinator/share/member.h"
#include "strategy/parallel/crown.h"
#include "strategy/strategy.h"

#define CROWN_BYTES (1ul << 36)

struct crew {
    struct member members[WORKERS_MAX];
    uint32_t count;
    const struct strategy *strategy;
    uint64_t executions_max; /* 0: no limit */
    uint64_t left;           /* of executions_max: executions not granted to a working member */
    uint32_t search;         /* number of the search: 1, and one more for each restart */
    int32_t bound; /* all workers are to search this bound, or the first above it that exists */
    int32_t bound_done;  /* last bound that all workers are through with, or NO_BOUND */
    uint32_t site_count; /* promoted sites that all workers know */
    uint32_t turn;       /* the worker that is asked first next time */
    uint64_t woken;      /* number of times that a worker was woken */
    bool resting;        /* all workers were told to rest, since the search restarts */
    bool leaving;        /* all workers were told to leave */
    bool over;           /* nothing is left to search */
    bool proved; /* one worker has explored everything, whatever is left of the shared search */
    struct crown crown; /* the tree above all subtrees, if the strategy wants one */
    char *crown_bytes;  /* memory of the crown; NULL: the strategy has no crown */
    int crown_fd;       /* file of the crown's memory */
    uint8_t *copy; /* of a parcel for the crown: the tested program cannot change it meanwhile */
    struct {       /* subtrees handed out by the crown, since their size was last judged */
        uint32_t count;
        uint64_t executions;
        double seconds;
    } tasks;
    /* until then one worker works at a time: subtrees were too small to be worth handing out */
    double alone_until;
    double alone_seconds; /* how long one worker works alone the next time */
};

/* The part of a search's state that is not on the boards, for a search that goes on later. */
struct crew_state {
    uint32_t search, site_count, turn, crowned;
    int32_t bound, bound_done;
    uint32_t taken[WORKERS_MAX];
    struct crown crown; /* its pointers are valid wherever crown_memory_open has succeeded */
};

struct crew_left {
    struct crew_state state;
    char *crown_bytes; /* the crown's memory as it was; NULL: the strategy has no crown */
    int crown_fd;
};

/* Begins a search, or continues one that was left, whose boards are as they were then. */
void crew_open(struct crew *crew, const struct board_handle *boards, uint32_t count,
               const struct crew_left *left);
struct crew_state crew_state_of(const struct crew *crew);
/* Maps zeroed memory, always at the same address, since the crown's pointers must stay valid. NULL:
 * it failed. */
char *crown_memory_open(int *fd);
void crown_memory_close(char *bytes, int fd);
void crew_close(struct crew *crew);
struct member *crew_member_of(struct crew *crew, const struct worker *worker);
bool crew_is_finished(const struct crew *crew);
int32_t crew_bound(const struct crew *crew); /* the bound being searched */
/* Serves the workers that have nothing to do. Returns false if a board cannot be believed. */
bool crew_tend(struct crew *crew, struct problem *why);
void crew_leave(struct crew *crew); /* tells all workers to leave after the execution in flight */
/* Whether a worker found new scheduling points and the search has not restarted yet. */
bool crew_wants_restart(const struct crew *crew);
/* Before a restart: tells all workers the scheduling points that any of them found, and clears the
 * counts of the search. */
void crew_forget_search(struct crew *crew);

#endif
