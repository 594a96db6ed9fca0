#define _GNU_SOURCE
#include "runtime/time/virtual_clock.h"

#include "runtime/engine/identity.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/snapshot/program_state.h"

#define REAL_START      (1700000000 * CLOCK_SECOND) /* the date at which every execution begins */
#define MONOTONIC_START (1000 * CLOCK_SECOND)
#define END             (200ul * 365 * 86400 * CLOCK_SECOND) /* time stands still then: dates stay readable */

enum { LOOKS_ALIKE = 1024, LOOKS_TO_DOUBLE = 64, DOUBLINGS_MAX = 20 };
enum { CPU_THREAD = 4, CPU_WHICH = 3, CPU_WHICH_NONE = 3 }; /* in the kernel's negative clock ids */

static uint64_t start_of(clockid_t clock)
{
    bool date = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
                clock == CLOCK_REALTIME_ALARM;
    return date ? REAL_START : MONOTONIC_START;
}

uint64_t clock_length(const struct timespec *time)
{
    if (time->tv_sec < 0)
        return 0;
    return (uint64_t)time->tv_sec >= END / CLOCK_SECOND
               ? END
               : (uint64_t)time->tv_sec * CLOCK_SECOND + (uint64_t)time->tv_nsec;
}

uint64_t clock_now(clockid_t clock)
{
    return start_of(clock) + ex.clock.time;
}

bool clock_is_valid(const struct timespec *time)
{
    return time->tv_nsec >= 0 && (uint64_t)time->tv_nsec < CLOCK_SECOND;
}

uint64_t clock_after(uint64_t later)
{
    return later > END - ex.clock.time ? END : ex.clock.time + later;
}

void clock_reach(uint64_t moment)
{
    step_moves_time();
    if (moment > ex.clock.time)
        ex.clock.time = moment;
    ex.me->time.looks = 0;
}

uint64_t clock_moment(clockid_t clock, const struct timespec *deadline)
{
    uint64_t at = clock_length(deadline), now = clock_now(clock);
    return clock_after(at > now ? at - now : 0);
}

void clock_jump(clockid_t clock, const struct timespec *deadline)
{
    clock_reach(clock_moment(clock, deadline));
}

void clock_pass(const struct timespec *duration)
{
    clock_reach(clock_after(clock_length(duration)));
}

void clock_work(uint64_t busy)
{
    uint64_t left = END - ex.clock.cpu_time;
    ex.clock.cpu_time += busy < left ? busy : left;
    ex.me->time.cpu_time += busy < left ? busy : left;
}

bool clock_is_for_work(clockid_t clock)
{
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

/* The thread whose work a clock counts; NO_THREAD: that of the whole process. */
static thread_id worker_of(clockid_t clock)
{
    if (clock == CLOCK_THREAD_CPUTIME_ID)
        return ex.current;
    if (clock == CLOCK_PROCESS_CPUTIME_ID || !(clock & CPU_THREAD))
        return NO_THREAD;
    int id = ~(clock >> 3);
    return id == 0 ? ex.current : identity_thread(id);
}

bool clock_is_known(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
        return true;
    }
    if (clock >= 0 || (clock & CPU_WHICH) == CPU_WHICH_NONE)
        return false;
    int id = ~(clock >> 3);
    return clock & CPU_THREAD ? worker_of(clock) != NO_THREAD : id == 0 || id == identity_process();
}

/* Looking takes a microsecond, so that a loop which waits for a time to come ends. Who looks very
 * often is in such a loop: then more and more time passes. */
static void look_takes_time(void)
{
    struct thread *me = ex.me;
    uint32_t doublings =
        me->time.looks < LOOKS_ALIKE ? 0 : (me->time.looks - LOOKS_ALIKE) / LOOKS_TO_DOUBLE;
    uint64_t taken = CLOCK_MICROSECOND << (doublings < DOUBLINGS_MAX ? doublings : DOUBLINGS_MAX);
    uint32_t looks = me->time.looks + 1;
    clock_reach(clock_after(taken));
    clock_work(taken);
    me->time.looks = looks;
    await_wrote(&me->await); /* the next turn sees another time: no await */
    step_sees_time();
    step_note(ex.clock.time); /* what it saw depends on all that moved the clock */
}

uint64_t clock_look(clockid_t clock)
{
    look_takes_time();
    watch_outside(); /* no state has the same time */
    if (!clock_is_for_work(clock))
        return clock_now(clock);
    state_is_unknown();
    thread_id worker = worker_of(clock);
    return worker == NO_THREAD ? ex.clock.cpu_time : ex.threads[worker].time.cpu_time;
}
