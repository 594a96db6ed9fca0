/* Cancellation: a request is acted upon at a cancellation point, or at any operation if it is
 * asynchronous; both only at operations. */
#ifndef RUNTIME_SYNC_CANCEL_H
#define RUNTIME_SYNC_CANCEL_H

#include "runtime/sync/model.h"

bool cancel_acts(thread_id thread); /* instead of its pending operation */
_Noreturn void cancel_now(void);

#endif
