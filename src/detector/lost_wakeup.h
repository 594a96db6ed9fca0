/* Why a thread waits for ever on a condition variable: a signal came before it waited, and woke nobody. */
#ifndef DETECTOR_LOST_WAKEUP_H
#define DETECTOR_LOST_WAKEUP_H

#include "core/trace.h"

struct lost_wakeup {
    uint32_t signal, wait; /* steps */
};

/* The last signal in vain before the wait that `waiter` never came back from. */
bool lost_wakeup_find(const struct trace *trace, thread_id waiter, struct lost_wakeup *out);

#endif
