/* The functions that tell the time, and those that let it pass. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>

#include "runtime/engine/identity.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/time/time_calls.h"
#include "runtime/time/virtual_clock.h"

enum { TICKS_PER_SECOND = 100 }; /* of times(), as everywhere on Linux */

struct old_time { /* struct timeb: its header is deprecated */
    time_t seconds;
    unsigned short milliseconds;
    short zone, summer;
};

static int fails(int error)
{
    errno = error;
    return -1;
}

static struct timespec as_timespec(uint64_t at)
{
    return (struct timespec){.tv_sec = (time_t)(at / CLOCK_SECOND),
                             .tv_nsec = (long)(at % CLOCK_SECOND)};
}

static struct timeval as_timeval(uint64_t at)
{
    return (struct timeval){.tv_sec = (time_t)(at / CLOCK_SECOND),
                            .tv_usec = (long)(at % CLOCK_SECOND / CLOCK_MICROSECOND)};
}

static clock_t as_ticks(uint64_t at)
{
    return (clock_t)(at / (CLOCK_SECOND / TICKS_PER_SECOND));
}

int time_of_clock(clockid_t clock, struct timespec *time, uintptr_t site)
{
    if (!clock_is_known(clock))
        return fails(EINVAL);
    memory_access(time, sizeof *time, true, site);
    *time = as_timespec(clock_look(clock));
    return 0;
}

int time_resolution(clockid_t clock, struct timespec *time, uintptr_t site)
{
    if (!clock_is_known(clock))
        return fails(EINVAL);
    if (time == NULL)
        return 0;
    memory_access(time, sizeof *time, true, site);
    *time = (struct timespec){.tv_nsec = 1};
    return 0;
}

int time_of_day(void *time, void *zone, uintptr_t site)
{
    if (time != NULL) {
        memory_access(time, sizeof(struct timeval), true, site);
        *(struct timeval *)time = as_timeval(clock_look(CLOCK_REALTIME));
    }
    if (zone != NULL)
        memset(zone, 0, sizeof(struct timezone));
    return 0;
}

time_t time_seconds(time_t *time, uintptr_t site)
{
    if (time != NULL)
        memory_access(time, sizeof *time, true, site);
    time_t now = (time_t)(clock_look(CLOCK_REALTIME) / CLOCK_SECOND);
    if (time != NULL)
        *time = now;
    return now;
}

int time_old(void *time, uintptr_t site)
{
    memory_access(time, sizeof(struct old_time), true, site);
    uint64_t now = clock_look(CLOCK_REALTIME);
    *(struct old_time *)time = (struct old_time){
        .seconds = (time_t)(now / CLOCK_SECOND),
        .milliseconds = (unsigned short)(now % CLOCK_SECOND / (1000 * CLOCK_MICROSECOND))};
    return 0;
}

int time_of_base(struct timespec *time, int base, uintptr_t site)
{
    if (base != TIME_UTC)
        return 0;
    time_of_clock(CLOCK_REALTIME, time, site);
    return base;
}

int time_resolution_of_base(struct timespec *time, int base, uintptr_t site)
{
    if (base != TIME_UTC)
        return 0;
    time_resolution(CLOCK_REALTIME, time, site);
    return base;
}

clock_t time_worked(void)
{
    return (clock_t)(clock_look(CLOCK_PROCESS_CPUTIME_ID) / CLOCK_MICROSECOND);
}

long time_in_ticks(void *times, uintptr_t site)
{
    if (times != NULL) {
        memory_access(times, sizeof(struct tms), true, site);
        clock_t worked = as_ticks(clock_look(CLOCK_PROCESS_CPUTIME_ID));
        *(struct tms *)times = (struct tms){.tms_utime = worked};
    }
    return as_ticks(clock_look(CLOCK_MONOTONIC));
}

int time_usage(int who, void *usage, uintptr_t site)
{
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD)
        return fails(EINVAL);
    memory_access(usage, sizeof(struct rusage), true, site);
    memset(usage, 0, sizeof(struct rusage));
    if (who != RUSAGE_CHILDREN)
        ((struct rusage *)usage)->ru_utime = as_timeval(
            clock_look(who == RUSAGE_SELF ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID));
    return 0;
}

int time_clock_of_thread(pthread_t thread, clockid_t *clock, uintptr_t site)
{
    int id = identity_of_thread(thread);
    if (id < 0)
        return ESRCH;
    memory_access(clock, sizeof *clock, true, site);
    *clock = (clockid_t)(~(unsigned)id << 3 | 6); /* as the kernel writes it */
    return 0;
}

int time_clock_of_process(int process, clockid_t *clock, uintptr_t site)
{
    if (process != 0 && process != identity_process())
        return ESRCH;
    memory_access(clock, sizeof *clock, true, site);
    *clock = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

static uint64_t left_until(uint64_t end)
{
    return end > ex.clock.time ? end - ex.clock.time : 0;
}

/* One step: carried out, the time has come. What others slept meanwhile counts. A signal handler
 * may end it early: EINTR, and how much was left. */
static int sleep_for(uint64_t nanoseconds, struct timespec *left, uintptr_t site)
{
    uint64_t end = clock_after(nanoseconds);
    if (sleep_step(end, site) == 0) {
        clock_reach(end);
        return 0;
    }
    if (left != NULL) {
        memory_access(left, sizeof *left, true, site);
        *left = as_timespec(left_until(end));
    }
    return EINTR;
}

static bool is_duration(const struct timespec *time)
{
    return time->tv_sec >= 0 && clock_is_valid(time);
}

unsigned sleep_seconds(unsigned seconds, uintptr_t site)
{
    struct timespec left;
    if (sleep_for(seconds * CLOCK_SECOND, &left, site) == 0)
        return 0;
    return (unsigned)left.tv_sec + (left.tv_nsec > 0);
}

static int with_errno(int error)
{
    return error == 0 ? 0 : fails(error);
}

int sleep_microseconds(unsigned microseconds, uintptr_t site)
{
    return with_errno(sleep_for(microseconds * CLOCK_MICROSECOND, NULL, site));
}

static int sleep_error(clockid_t clock, const struct timespec *time)
{
    bool thread_clock = clock == CLOCK_THREAD_CPUTIME_ID;
    if (!clock_is_known(clock) || thread_clock)
        return EINVAL;
    if (clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE ||
        clock == CLOCK_REALTIME_COARSE)
        return ENOTSUP;
    if (time == NULL)
        return EFAULT;
    return is_duration(time) ? 0 : EINVAL;
}

int sleep_on_clock(clockid_t clock, int flags, const struct timespec *time, struct timespec *left,
                   uintptr_t site)
{
    called_reads_before(OP_SLEEP, time, sizeof *time, site);
    int error = sleep_error(clock, time);
    if (error != 0)
        return error;
    uint64_t duration = clock_length(time);
    if (flags & TIMER_ABSTIME) {
        uint64_t now = clock_is_for_work(clock) ? ex.clock.cpu_time : clock_now(clock);
        duration = duration > now ? duration - now : 0;
    }
    if (clock_is_for_work(clock))
        clock_work(duration);
    return sleep_for(duration, flags & TIMER_ABSTIME ? NULL : left, site);
}

int sleep_nanoseconds(const struct timespec *time, struct timespec *left, uintptr_t site)
{
    called_reads_before(OP_SLEEP, time, sizeof *time, site);
    int error = sleep_error(CLOCK_REALTIME, time);
    return with_errno(error != 0 ? error : sleep_for(clock_length(time), left, site));
}
