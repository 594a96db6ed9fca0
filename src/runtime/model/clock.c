#include "runtime/model/clock.h"

#include "runtime/runtime.h"

#define SECOND 1000000000ul
#define REAL_START (1700000000 * SECOND) /* the date at which every execution begins */
#define MONOTONIC_START (1000 * SECOND)

static uint64_t start_of(clockid_t clock)
{
    bool date = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    return date ? REAL_START : MONOTONIC_START;
}

static uint64_t nanoseconds(const struct timespec *time)
{
    return time->tv_sec < 0 ? 0 : (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec;
}

uint64_t clock_now(clockid_t clock)
{
    return start_of(clock) + ex.time;
}

bool clock_is_valid(const struct timespec *time)
{
    return time->tv_nsec >= 0 && (uint64_t)time->tv_nsec < SECOND;
}

void clock_jump(clockid_t clock, const struct timespec *deadline)
{
    uint64_t at = nanoseconds(deadline);
    if (at > clock_now(clock))
        ex.time = at - start_of(clock);
}

void clock_pass(const struct timespec *duration)
{
    ex.time += nanoseconds(duration);
}
