/* Why a thread waits for ever on a condition variable, on a futex or in pause: a signal came before
 * it waited, and woke nobody. Semaphores, eventfds and pipes keep what comes before: there nothing
 * is lost. */
#ifndef DETECTOR_LOST_WAKEUP_H
#define DETECTOR_LOST_WAKEUP_H

#include "core/trace.h"

struct lost_wakeup {
    uint32_t signal, wait; /* steps */
};

/* The last signal in vain before the wait that `waiter` never came back from. */
bool lost_wakeup_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out);
bool lost_futex_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out);
/* The last signal that was sent before `waiter` last handled some; `wait` is where it did so. */
bool lost_signal_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out);

#endif
