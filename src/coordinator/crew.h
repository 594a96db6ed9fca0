/* Workers that share one search: who has nothing to do gets part of what a busy one has left, a
 * bound is begun when all are through with the one before, and a restart is everybody's. */
#ifndef COORDINATOR_CREW_H
#define COORDINATOR_CREW_H

#include "coordinator/member.h"
#include "strategy/crown.h"
#include "strategy/strategy.h"

#define CROWN_BYTES (1ul << 36)

struct crew {
    struct member members[WORKERS_MAX];
    uint32_t count;
    const struct strategy *strategy;
    uint64_t executions_max; /* 0: no limit */
    uint64_t left;           /* of them, not granted to anybody who works */
    uint32_t search;         /* 1, and one more for each restart */
    int32_t bound;           /* all are to search this one, or the first above it that there is */
    int32_t bound_done;      /* all are through with this one, or NO_BOUND */
    uint32_t site_count;     /* promoted sites that all know */
    uint32_t turn;           /* who is asked first the next time */
    uint64_t woken;          /* how often somebody was */
    bool resting;            /* all were told to rest: the search begins anew */
    bool leaving;            /* all were told to leave */
    bool over;               /* nothing is left to search */
    bool proved;        /* … since one has explored all, whatever is left of what they share */
    struct crown crown; /* what lies above all subtrees, if the strategy wants one; … */
    char *crown_bytes;  /* … its memory; NULL: it does not, … */
    int crown_fd;       /* … and the file that this is */
    struct {            /* what comes from the crown, since this was last judged */
        uint32_t count;
        uint64_t executions;
        double seconds;
    } tasks;
    double alone_until; /* one works at a time: parts of the search were too small to be carried */
    double alone_seconds; /* … for so long the next time */
};

/* What the boards do not say of a search that goes on later. */
struct crew_state {
    uint32_t search, site_count, turn, crowned;
    int32_t bound, bound_done;
    uint32_t taken[WORKERS_MAX];
    struct crown crown; /* pointers into its memory are right wherever crown_memory_open has been */
};

struct crew_left {
    struct crew_state state;
    char *crown_bytes; /* the crown's memory as it was; NULL: it has none */
    int crown_fd;
};

/* Begins a search, or goes on with one that was left, whose boards are as they were then. */
void crew_open(struct crew *crew, const struct board_handle *boards, uint32_t count,
               const struct crew_left *left);
struct crew_state crew_state_of(const struct crew *crew);
/* Always at the same address; all zero. NULL: cannot. */
char *crown_memory_open(int *fd);
void crown_memory_close(char *bytes, int fd);
void crew_close(struct crew *crew);
struct member *crew_member_of(struct crew *crew, const struct worker *worker);
bool crew_is_finished(const struct crew *crew);
int32_t crew_bound(const struct crew *crew); /* that is searched */
/* Looks after those who have nothing to do. false: a board cannot be believed. */
bool crew_tend(struct crew *crew, struct problem *why);
void crew_leave(struct crew *crew); /* all shall leave after the execution in flight */
/* Whether somebody found new scheduling points and the search has not been begun anew. */
bool crew_wants_restart(const struct crew *crew);
/* All know the scheduling points that anybody found, and count from 0. */
void crew_forget_search(struct crew *crew);

#endif
