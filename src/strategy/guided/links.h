/* Links between the steps of an execution: the step before of the same thread, and the step before
 * that names the same object. For the next execution only the steps that change are linked again.
 *
 * Nothing here is in the journal. If a worker is killed in between, all steps are linked again. */
#ifndef STRATEGY_LINKS_H
#define STRATEGY_LINKS_H

#include "base/arena.h"
#include "core/schedule.h"
#include "core/trace.h"

struct links {
    bool settled;               /* the links describe one whole execution */
    uint32_t count;             /* its number of steps */
    struct decision *decisions; /* the decisions in which it leaves the default */
    uint32_t decision_count;
    struct link {          /* By step; steps are counted from 1, 0 is none. */
        uint32_t object;   /* number of the object that the step names, modulo the size of `last` */
        uint32_t before;   /* the step before that names the same object */
        uint32_t previous; /* the step before of the same thread */
        /* A step of the same thread further back, so that any is found in few jumps. */
        uint32_t jump;
        uint32_t depth;       /* number of steps of the thread up to this one */
        uint32_t preemptions; /* preemptions before the step */
        thread_id thread;
    } * all;
    uint32_t *last;  /* by object: the last step that names it */
    uint32_t *lasts; /* by thread: its last step */
};

void links_open(struct links *links, struct arena *arena, uint32_t steps_max);
/* Links the steps of an execution that leaves the default in these decisions. Returns the first
 * step that was linked again. Until links_settle() the caller may do more that must not be
 * interrupted. */
uint32_t links_follow(struct links *links, const struct trace *trace,
                      const struct decision *decisions, uint32_t count);
void links_settle(struct links *links);

/* The last step that names the object of an operation. */
uint32_t links_last(const struct links *links, const struct op *op);
/* A thread's first step that is not before `step`, which is counted from 0. */
uint32_t links_next(const struct links *links, uint32_t step, thread_id thread);

#endif
