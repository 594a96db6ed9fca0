#include "runtime/time/timeout.h"

#include <errno.h>

#include "runtime/engine/scheduler.h"
#include "runtime/memory/called.h"
#include "runtime/time/virtual_clock.h"

void timeout_is_read(const struct timeout *timeout, enum op_kind kind, uintptr_t site)
{
    called_reads_before(kind, timeout->deadline, sizeof *timeout->deadline, site);
}

bool timeout_has_clock(const struct timeout *timeout)
{
    return timeout->clock == CLOCK_REALTIME || timeout->clock == CLOCK_MONOTONIC;
}

bool timeout_is_valid(const struct timeout *timeout)
{
    return timeout_has_clock(timeout) && clock_is_valid(timeout->deadline);
}

enum { TIMEOUTS_FREE = 4 };

/* A thread that tries again after a timeout at the same place polls: then the others come first.
 * Where it can be known what comes of a loop, that shows when a turn was like the one before it. */
void timeout_give_way(void)
{
    struct thread *me = ex.me;
    bool again = me->time.timeout_site == ex.pending[ex.current].site;
    me->time.timeouts = again ? me->time.timeouts + 1 : 0;
    if (again && !me->vain && (!rt.turns_skipped || me->time.timeouts > TIMEOUTS_FREE))
        thread_give_way(UNREDUCED_TIMEOUTS);
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
    ex.me->time.timeout_site = ex.pending[ex.current].site;
    return ETIMEDOUT;
}
