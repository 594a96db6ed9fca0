/* Events that can come between a thread and the operation that it has announced: signals and
 * cancellation. The pending operation is then replaced by one that is always possible; when that
 * has been carried out the operation is announced again, unless it was interrupted. */
#ifndef RUNTIME_TIME_ALERT_H
#define RUNTIME_TIME_ALERT_H

#include <stdbool.h>

#include "core/op.h"
#include "core/thread.h"

enum interruption {
    NOT_INTERRUPTED, /* it goes on when a handler has run */
    RESTARTED,       /* it fails with EINTR, unless the handler was installed with SA_RESTART */
    INTERRUPTED      /* it fails with EINTR */
};

/* Announces what a signal handler can interrupt: false, if one did. */
bool announce_interruptible(struct op op, enum interruption how);

#endif
