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
void timeout_give_way(void)
{
    thread_give_way(ex.me->timeout_site == ex.pending[ex.current].site);
}

void timeout_begin(const struct timeout *timeout)
{
    if (timeout->deadline != NULL)
        step_moves_time();
    ex.me->deadline = timeout->deadline != NULL && clock_is_valid(timeout->deadline)
                          ? clock_moment(timeout->clock, timeout->deadline)
                          : 0;
}

int timeout_step(const struct timeout *timeout)
{
    clock_jump(timeout->clock, timeout->deadline);
    timeout_give_way();
    ex.me->timeout_site = ex.pending[ex.current].site;
    return ETIMEDOUT;
}
