/* What can come between a thread and the operation that it has announced: signals and cancellation.
 * The pending operation is then replaced by one that is always possible; when that has been carried
 * out the operation is announced again, unless it was interrupted. */
#ifndef RUNTIME_TIME_ALERT_H
#define RUNTIME_TIME_ALERT_H

#include "runtime/engine/scheduler.h"

enum interruption {
    NOT_INTERRUPTED, /* it goes on when a handler has run */
    RESTARTED,       /* it fails with EINTR, unless the handler was installed with SA_RESTART */
    INTERRUPTED      /* it fails with EINTR */
};

enum alert { ALERT_AGAIN, ALERT_INTERRUPTED };

static inline bool is_alert(uint8_t kind)
{
    return kind == OP_CANCELLED || kind == OP_SIGNAL_HANDLE;
}

/* A signal or a request came for a thread that has announced its next operation. */
void alert(thread_id thread);
enum alert alert_take(void); /* the calling thread was chosen to see to it */

/* Announces what a signal handler can interrupt: false, if one did. */
bool announce_interruptible(struct op op, enum interruption how);

#endif
