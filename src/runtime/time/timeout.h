/* Timed operations. They never have to wait: carried out while what they ask for is not there, they
 * are the timeout. */
#ifndef RUNTIME_TIME_TIMEOUT_H
#define RUNTIME_TIME_TIMEOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "core/op.h"

struct timeout {
    clockid_t clock;
    const struct timespec *deadline; /* NULL: none */
};

/* The call reads its deadline, before the operation is announced and before anything else does. */
void timeout_is_read(const struct timeout *timeout, enum op_kind kind, uintptr_t site);
bool timeout_is_valid(const struct timeout *timeout); /* a clock to wait on, and a time */
bool timeout_has_clock(const struct timeout *timeout);
void timeout_give_way(void);                       /* if the last timeout was at this place, too */
void timeout_begin(const struct timeout *timeout); /* before the operation is announced */
int timeout_step(const struct timeout *timeout);   /* the step was the timeout; ETIMEDOUT */

#endif
