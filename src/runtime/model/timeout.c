#include "runtime/model/timeout.h"

#include <errno.h>

#include "runtime/model/clock.h"
#include "runtime/scheduler.h"

bool timeout_has_clock(const struct timeout *timeout)
{
    return timeout->clock == CLOCK_REALTIME || timeout->clock == CLOCK_MONOTONIC;
}

bool timeout_is_valid(const struct timeout *timeout)
{
    return timeout_has_clock(timeout) && clock_is_valid(timeout->deadline);
}

/* Whoever tries again after a timeout at the same place polls: then the others come first. */
int timeout_step(const struct timeout *timeout)
{
    uint64_t site = ex.pending[ex.current].site;
    clock_jump(timeout->clock, timeout->deadline);
    if (ex.me->timeout_site == site)
        thread_give_way();
    ex.me->timeout_site = site;
    return ETIMEDOUT;
}
