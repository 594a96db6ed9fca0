/* The report of a worker with a subtree of a reduced search to the crown: what became of the
 * sequence that it was given, the steps that it hands over, returns, and whether it is through.
 *
 * Returns are sequences that a worker found and that must run above its subtree, in steps that
 * other workers share. A return is a node that names the step, and below it a chain of events. */
#ifndef STRATEGY_WORKER_REPORT_H
#define STRATEGY_WORKER_REPORT_H

#include "strategy/parallel/event_numbers.h"
#include "strategy/reduction/wakeup.h"
#include "strategy/strategy.h"

/* Whether a return with this fingerprint was added before, as far as there is room to know; notes
 * it. Called inside a transaction. */
bool returns_have(struct journal *journal, uint64_t sent[RETURNS_SENT], uint64_t fingerprint);
void returns_add(struct wakeup *wakeup, uint32_t *list, uint32_t step, const struct event *events,
                 uint32_t count);
struct report { /* of a search, whose lasting part is saved */
    void *search;
    const struct trace *trace;
    uint64_t facts; /* what was seen of all executions (CROWN_CHOOSES, CROWN_BEYOND) */
    /* Puts what became of the sequence, once; steps to hand over, or that there are none. Return
     * whether that is new to the crown. */
    bool (*put_root)(void *search, struct numbers *out);
    bool (*give_steps)(void *search, const struct trace *trace, struct numbers *out);
    struct wakeup *nodes;
    uint32_t *returns;
    uint8_t ended;            /* nothing is left below */
    uint8_t *told_end, *lost; /* the crown knows that all is told; a return found no room */
};

/* Writes a report. false: there is nothing to tell. */
bool report_put(const struct report *report, const struct strategy *strategy, struct parcel *out);
/* Whether a task fits executions of so many steps, and its decisions come before what is to be run.
 */
bool task_fits(const struct subtree *task, uint32_t steps_max);

#endif
