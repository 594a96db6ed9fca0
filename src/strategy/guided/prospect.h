/* Prospects: what a trace tells about the executions that leave it. Which threads could have come
 * before a step that they conflict with, and which operations sleep. It only orders a search; no
 * claim depends on it. */
#ifndef STRATEGY_PROSPECT_H
#define STRATEGY_PROSPECT_H

#include "base/arena.h"
#include "core/schedule.h"
#include "core/trace.h"
#include "strategy/guided/links.h"
#include "strategy/guided/priority.h"

struct object;

struct prospect { /* The prospects of one trace; nothing here lasts. */
    const struct trace *trace;
    uint32_t first;            /* only steps from this one on are looked at */
    thread_set *reversal;      /* by step: threads whose next operation conflicts with it */
    thread_set *safety;        /* by step: threads that may lead to such a thread */
    const struct links *links; /* links of the trace's steps */
    const struct hierarchy *hierarchy;
    const struct object *objects; /* NULL: the places of objects are unknown */
    /* A sleeping operation: what the thread had pending at step `first` was run before. */
    struct nap {
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
/* The worth of running this thread at a step. */
enum worth prospect_worth(const struct prospect *prospect, struct decision decision);
/* The outlook of an execution that runs this thread at a step, with this outcome. The caller sets
 * `worth` and `decisions`. */
struct outlook prospect_of(const struct prospect *prospect, struct decision decision,
                           uint32_t preemptions, uint64_t seed);

#endif
