/* Orders of steps across executions: which of them a failing execution keeps, and which the passing
 * executions break.
 *
 * An event is a step named by its thread, its operation and how often the thread was there before,
 * so that it is found again in other executions. A pair says that one event comes before a
 * conflicting event of another thread. An execution breaks a pair if the later event comes and the
 * earlier one has not come. A set of pairs of which every known passing execution breaks one is a
 * hitting set of what they break. The smallest one is searched for (Reiter 1987), first without the
 * orders that only say what came before the program ended. */
#ifndef STRATEGY_ORDERS_H
#define STRATEGY_ORDERS_H

#include "core/journal.h"
#include "core/trace.h"

struct object;

enum {
    ORDERS_MAX = 6, /* limit of pairs in a set: more explain nothing */
    EVENTS_MAX = 8192,
    PAIRS_MAX = 2048,
    PASSED_MAX = 96,        /* limit of passing executions that are kept */
    TRACE_STEPS_MAX = 4096, /* limit of steps of an execution that is looked at */
};
#define EVENT_NEVER UINT32_MAX

struct event {
    struct op op;
    uint32_t occurrence; /* number of times that its thread was there before */
    /* Step in the execution in which it was seen; EVENT_NEVER: it was only pending. */
    uint32_t step;
    thread_id thread; /* NO_THREAD: the first thread that comes there, except `except` */
    thread_id except; /* the thread that does not count where `thread` is NO_THREAD */
    uint16_t choice;
    uint16_t reserved;
};

struct pair {
    uint32_t earlier, later; /* numbers of events */
    uint32_t cost;           /* how little the pair tells a person */
};

/* The search for a set. Of pairs that the same executions break only the cheapest is kept. */
struct hunt {
    uint32_t count, nodes;
    uint32_t chosen[ORDERS_MAX], best[ORDERS_MAX];
    uint32_t best_cost;
    uint32_t pairs[PAIRS_MAX];
};

/* The orders of one failing execution. There are no pointers, since the coordinator reads them too.
 * Entries beyond a count are free. */
struct orders {
    struct orders_now {
        /* Number of steps of the failing execution; they are the first events. */
        uint32_t failing_count;
        uint32_t event_count, pair_count, passed_count;
        uint32_t set_count;
        uint32_t set[ORDERS_MAX]; /* indices of pairs */
        uint32_t nearest;         /* the nearest passing execution; EVENT_NEVER: none */
        uint32_t nearest_broken;  /* number of pairs that the nearest passing execution breaks */
        bool smallest; /* no smaller set of these pairs is broken by all passing executions */
        /* Something found no room, or no pair separates the passing executions from the failing
         * one. */
        bool full;
    } now;
    struct event events[EVENTS_MAX];
    struct pair pairs[PAIRS_MAX];
    thread_set enabled[TRACE_STEPS_MAX]; /* enabled threads in the failing execution, by step */
    uint32_t passed_steps[PASSED_MAX];   /* number of steps of each passing execution */
    struct event passed[PASSED_MAX][TRACE_STEPS_MAX];
    /* Step of each event in each passing execution; EVENT_NEVER: the event does not come. */
    uint32_t position[PASSED_MAX][EVENTS_MAX];
    uint64_t broken_by[PAIRS_MAX][2]; /* this field and `hunt` are computed again for each search */
    struct hunt hunt;
};

static inline bool event_is(const struct event *event, thread_id thread, const struct op *op)
{
    return (event->thread == thread || (event->thread == NO_THREAD && event->except != thread)) &&
           event->op.kind == op->kind && event->op.site == op->site;
}

/* Begins with the failing execution: its events and pairs. `objects` says where objects lie; NULL:
 * unknown. Returns false if the execution is too long. */
bool orders_begin(struct orders *orders, const struct object *objects, const struct trace *failing);
/* Looks at a passing execution. It is kept if it breaks no pair of the set, which then changes, or
 * if it is nearer than those before. */
void orders_pass(struct orders *orders, const struct object *objects, const struct trace *trace);
/* Whether an execution breaks no pair of the set. */
bool orders_kept(const struct orders *orders, const struct trace *trace);

#endif
