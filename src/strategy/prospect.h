/* What a trace tells about the executions that leave it: which thread could have come before what
 * it conflicts with, and what sleeps. All of it is there to order a search by; nothing hangs on
 * it. */
#ifndef STRATEGY_PROSPECT_H
#define STRATEGY_PROSPECT_H

#include "base/arena.h"
#include "core/schedule.h"
#include "core/trace.h"
#include "strategy/links.h"
#include "strategy/priority.h"

struct object;

struct prospect { /* of one trace; nothing here lasts */
    const struct trace *trace;
    uint32_t first;            /* only steps from here on are looked at */
    thread_set *reversal;      /* by step: threads whose next operation conflicts with it */
    thread_set *safety;        /* … that may lead to such a thread */
    const struct links *links; /* of its steps */
    const struct hierarchy *hierarchy;
    const struct object *objects; /* NULL: nobody knows where they are */
    struct nap { /* what a thread was about to do at the first of these steps was run before */
        uint32_t first, last;
        thread_id thread;
    } * naps;
    uint32_t nap_count;
};

void prospect_open(struct prospect *prospect, struct arena *arena, uint32_t steps_max,
                   const struct hierarchy *hierarchy, const struct object *objects,
                   const struct links *links);
/* `decisions` are those in which the execution leaves the default. */
void prospect_look(struct prospect *prospect, const struct trace *trace, uint32_t first,
                   const struct decision *decisions, uint32_t count);
/* What it promises to run this thread at a step. */
enum worth prospect_worth(const struct prospect *prospect, struct decision decision);
/* Of an execution that runs this thread at a step, with this outcome of its operation; worth and
 * the number of decisions are for the caller to say. */
struct outlook prospect_of(const struct prospect *prospect, struct decision decision,
                           uint32_t preemptions, uint64_t seed);

#endif
