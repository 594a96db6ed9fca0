/* Cancellation: a request is acted upon at a cancellation point, or at any operation if it is
 * asynchronous; both only at operations. */
#ifndef RUNTIME_MODEL_CANCEL_H
#define RUNTIME_MODEL_CANCEL_H

#include "runtime/model/model.h"

bool cancel_acts(thread_id thread); /* instead of its pending operation */
_Noreturn void cancel_now(void);

#endif
