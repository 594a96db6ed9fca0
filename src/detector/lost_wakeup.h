/* Lost wake-ups: a thread is blocked forever on a condition variable, on a futex or in pause
 * because a signal came before its wait and woke no thread. Semaphores, eventfds and pipes keep
 * what comes before, so nothing is lost there. */
#ifndef DETECTOR_LOST_WAKEUP_H
#define DETECTOR_LOST_WAKEUP_H

#include "core/trace.h"

struct lost_wakeup {
    uint32_t signal, wait; /* step numbers */
};

/* Finds the last signal without effect before the wait that `waiter` never returned from. */
bool lost_wakeup_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out);
bool lost_futex_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out);
/* Finds the last signal that was sent before `waiter` last handled signals; `wait` is the step that
 * handled them. */
bool lost_signal_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out);

#endif
