#define _GNU_SOURCE
#include "runtime/memory/shift.h"

#include "runtime/model/clock.h"

#define MINUTE (60 * CLOCK_SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define YEAR   (365 * DAY)

static const uint64_t longer[] = {
    10 * CLOCK_SECOND, MINUTE,    10 * MINUTE, HOUR,      6 * HOUR,  DAY,
    10 * DAY,          100 * DAY, YEAR,        10 * YEAR, 50 * YEAR,
};
enum { LONGER = sizeof longer / sizeof longer[0], HOURS = 24, DAYS = 31, MONTHS = 12 };

void shift_see_times(struct digest_times *times, bool alike)
{
    static const uint64_t units[UNITS] = {1, CLOCK_MICROSECOND, 1000 * CLOCK_MICROSECOND,
                                          CLOCK_SECOND};
    times->alike = alike;
    for (int i = 0; i < UNITS; i++) {
        times->now[0][i] = clock_now(CLOCK_MONOTONIC) / units[i];
        times->now[1][i] = clock_now(CLOCK_REALTIME) / units[i];
    }
}

/* The first look from then on sees a date that is a multiple of the unit. */
static void reach_multiple(uint64_t later, uint64_t unit)
{
    uint64_t date = clock_now(CLOCK_REALTIME) + later + CLOCK_MICROSECOND;
    clock_reach(clock_after(later + unit - date % unit));
}

bool shift_clock(uint32_t number)
{
    if (number < LONGER)
        clock_reach(clock_after(longer[number]));
    else if (number < LONGER + HOURS)
        reach_multiple(0, HOUR);
    else if (number < LONGER + HOURS + DAYS)
        reach_multiple(0, DAY);
    else if (number < LONGER + HOURS + DAYS + MONTHS)
        reach_multiple(30 * DAY, HOUR);
    else
        return false;
    return true;
}

uint64_t shift_leap(uint32_t number)
{
    uint64_t before = clock_after(0);
    if (!shift_clock(number))
        return 0;
    uint64_t leap = (clock_after(0) - before + CLOCK_SECOND - 1) / CLOCK_SECOND * CLOCK_SECOND;
    clock_reach(before + leap);
    return leap;
}

/* Not to a number that programs and libraries are full of, as 2048. */
void shift_away(void)
{
    clock_reach(clock_after(4300 * CLOCK_SECOND));
}

bool shift_has_room(void)
{
    return clock_after(100 * YEAR) - clock_after(0) == 100 * YEAR;
}
