/* Orders of steps, seen across executions: which of them an execution that fails keeps and those
 * that pass do not.
 *
 * An event is a step named by its thread, its operation and how often the thread came there before,
 * so that it is found again in other executions. A pair says that one event comes before another of
 * another thread that conflicts with it. An execution breaks a pair if the later one comes and the
 * earlier one has not. A set of pairs that each execution known to pass breaks somewhere is a
 * hitting set of what they break; the smallest one is searched for (Reiter 1987): first without the
 * orders that only say what came before the program ended. */
#ifndef STRATEGY_ORDERS_H
#define STRATEGY_ORDERS_H

#include "core/journal.h"
#include "core/trace.h"

struct object;

enum {
    ORDERS_MAX = 6, /* pairs in a set: more explain nothing */
    EVENTS_MAX = 8192,
    PAIRS_MAX = 2048,
    PASSED_MAX = 96,        /* executions that pass and are kept */
    TRACE_STEPS_MAX = 4096, /* of an execution that is looked at */
};
#define EVENT_NEVER UINT32_MAX

struct event {
    struct op op;
    uint32_t occurrence; /* how often its thread was there before */
    uint32_t step;       /* in the execution that it was seen in; EVENT_NEVER: only about to come */
    thread_id thread;    /* NO_THREAD: whoever comes there first, … */
    thread_id except;    /* … but for this one */
    uint16_t choice;
    uint16_t reserved;
};

struct pair {
    uint32_t earlier, later; /* events */
    uint32_t cost;           /* how little it says to a person */
};

struct hunt { /* the search for a set: pairs by what breaks them, the cheapest of those that say the
                 same */
    uint32_t count, nodes;
    uint32_t chosen[ORDERS_MAX], best[ORDERS_MAX];
    uint32_t best_cost;
    uint32_t pairs[PAIRS_MAX];
};

/* Without pointers, as the coordinator reads it too. What lies beyond a count is free. */
struct orders {
    struct orders_now {
        uint32_t failing_count; /* steps of the execution that fails: the first events */
        uint32_t event_count, pair_count, passed_count;
        uint32_t set_count;
        uint32_t set[ORDERS_MAX]; /* pairs */
        uint32_t nearest;         /* of those that pass; EVENT_NEVER: none */
        uint32_t nearest_broken;  /* pairs that it breaks */
        bool smallest;            /* no smaller set of such pairs is broken by all that pass */
        bool full; /* something found no room, or nothing tells what passes from what fails */
    } now;
    struct event events[EVENTS_MAX];
    struct pair pairs[PAIRS_MAX];
    thread_set enabled[TRACE_STEPS_MAX]; /* in the execution that fails */
    uint32_t passed_steps[PASSED_MAX];   /* how many each has */
    struct event passed[PASSED_MAX][TRACE_STEPS_MAX];
    uint32_t position[PASSED_MAX][EVENTS_MAX]; /* of each event; EVENT_NEVER: it does not come */
    uint64_t broken_by[PAIRS_MAX][2];          /* these two are made anew for each search */
    struct hunt hunt;
};

static inline bool event_is(const struct event *event, thread_id thread, const struct op *op)
{
    return (event->thread == thread || (event->thread == NO_THREAD && event->except != thread)) &&
           event->op.kind == op->kind && event->op.site == op->site;
}

/* The execution that fails: its events and pairs. `objects` say where things are; NULL: unknown.
 * false: it is too long. */
bool orders_begin(struct orders *orders, const struct object *objects, const struct trace *failing);
/* Looks at an execution that passes, and keeps it if it breaks no pair of the set, which is then
 * another one, or is nearer than those before. */
void orders_pass(struct orders *orders, const struct object *objects, const struct trace *trace);
/* Whether an execution breaks no pair of the set. */
bool orders_kept(const struct orders *orders, const struct trace *trace);

#endif
