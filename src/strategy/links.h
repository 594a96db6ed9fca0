/* How the steps of an execution hang together: which step of the same thread, and which one that
 * names the same object, came before each. Of the execution that comes next only what is not as it
 * was is linked anew.
 *
 * Nothing here is in the journal. A worker may be killed meanwhile: then all is linked anew. */
#ifndef STRATEGY_LINKS_H
#define STRATEGY_LINKS_H

#include "base/arena.h"
#include "core/schedule.h"
#include "core/trace.h"

struct links {
    bool settled;               /* all of this is about one execution: … */
    uint32_t count;             /* … it has so many steps, … */
    struct decision *decisions; /* … and leaves the default here */
    uint32_t decision_count;
    struct link {             /* by step; steps are counted from 1, 0 is none */
        uint32_t object;      /* what it names, as a place among the last */
        uint32_t before;      /* the step before it that names the same object */
        uint32_t previous;    /* … of the same thread, … */
        uint32_t jump;        /* … one further back, so that all are found in few jumps, … */
        uint32_t depth;       /* … and how many there are up to this one */
        uint32_t preemptions; /* before it */
        thread_id thread;
    } * all;
    uint32_t *last;  /* by object: the last step that names it */
    uint32_t *lasts; /* by thread: its last step */
};

void links_open(struct links *links, struct arena *arena, uint32_t steps_max);
/* The steps of an execution that leaves the default in these decisions; from which one on they are
 * linked anew. Until links_settle() more may be done that must not be broken off. */
uint32_t links_follow(struct links *links, const struct trace *trace,
                      const struct decision *decisions, uint32_t count);
void links_settle(struct links *links);

uint32_t links_last(const struct links *links,
                    const struct op *op); /* that names the object of an operation */
/* A thread's first step that is not before this one, which is counted from 0. */
uint32_t links_next(const struct links *links, uint32_t step, thread_id thread);

#endif
