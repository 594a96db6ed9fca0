/* alarm, setitimer, timer_create and the like. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/time.h>

#include "runtime/engine/identity.h"
#include "runtime/engine/scheduler.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/time/signal.h"
#include "runtime/time/time_calls.h"
#include "runtime/time/timer_parts.h"
#include "runtime/time/virtual_clock.h"

static int fails(int error)
{
    errno = error;
    return -1;
}

static uint64_t left_of(const struct timer *timer)
{
    uint64_t now = timer_now(timer);
    if (!timer->armed)
        return 0;
    return timer->expiry > now ? timer->expiry - now : 1;
}

static void fill(struct timer *timer, clockid_t clock, int number)
{
    *timer = (struct timer){
        .clock = clock, .target = NO_THREAD, .handle = timer->handle, .thread = timer->thread};
    timer->event.sigev_notify = SIGEV_SIGNAL;
    timer->info.si_signo = number;
    timer->info.si_code = SI_KERNEL;
}

static struct timer *make(clockid_t clock, int number, uintptr_t handle)
{
    struct timer *timer = execution_take(sizeof *timer);
    ex.timers.set = true;
    *timer = (struct timer){.handle = handle};
    fill(timer, clock, number);
    return timer;
}

static struct timer *make_numbered(clockid_t clock, int number)
{
    return make(clock, number, INTERVAL_TIMERS + ex.timers.made++);
}

static void announce_set(const struct timer *timer, uintptr_t site)
{
    uint32_t object = timer_object(timer);
    announce_on(OP_TIMER_SET, object, site);
    step_touch(object, OP_ACCESS_WRITE);
    step_sees_time(); /* a thread that waits until later than it expires is held back */
}

/* setitimer, and alarm, which sets the first of its three timers. */
static struct timer *interval_timer(int which)
{
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID,
                                       CLOCK_PROCESS_CPUTIME_ID};
    static const int numbers[] = {SIGALRM, SIGVTALRM, SIGPROF};
    struct timer **timer = &ex.timers.interval[which];
    if (*timer == NULL)
        *timer = make(clocks[which], numbers[which], (uintptr_t)which);
    return *timer;
}

static uint64_t set_interval_timer(int which, uint64_t first, uint64_t interval, uintptr_t site)
{
    struct timer *timer = interval_timer(which);
    announce_set(timer, site);
    uint64_t left = left_of(timer);
    timer_disarm(timer);
    if (first > 0)
        timer_arm(timer, timer_now(timer) + first, interval, site);
    return left;
}

unsigned timer_alarm(unsigned seconds, uintptr_t site)
{
    uint64_t left = set_interval_timer(0, seconds * CLOCK_SECOND, 0, site);
    return (unsigned)((left + CLOCK_SECOND - 1) / CLOCK_SECOND);
}

unsigned timer_alarm_micro(unsigned first, unsigned interval, uintptr_t site)
{
    uint64_t left =
        set_interval_timer(0, first * CLOCK_MICROSECOND, interval * CLOCK_MICROSECOND, site);
    return (unsigned)((left + CLOCK_MICROSECOND - 1) / CLOCK_MICROSECOND);
}

static struct timeval as_timeval(uint64_t time)
{
    time += CLOCK_MICROSECOND - 1; /* what is left is never nothing */
    return (struct timeval){.tv_sec = (time_t)(time / CLOCK_SECOND),
                            .tv_usec = (long)(time % CLOCK_SECOND / CLOCK_MICROSECOND)};
}

static bool to_length(const struct timeval *time, uint64_t *length)
{
    struct timespec exact = {.tv_sec = time->tv_sec, .tv_nsec = time->tv_usec * 1000};
    *length = clock_length(&exact);
    return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < 1000000;
}

static bool is_interval_timer(int which)
{
    return which >= 0 && which < INTERVAL_TIMERS;
}

int timer_get_interval(int which, void *out, uintptr_t site)
{
    if (!is_interval_timer(which))
        return fails(EINVAL);
    const struct timer *timer = interval_timer(which);
    struct itimerval value = {0};
    if (timer->armed) {
        value.it_value = as_timeval(left_of(timer));
        value.it_interval = as_timeval(timer->interval);
    }
    step_note(left_of(timer));
    memory_access(out, sizeof value, true, site);
    memcpy(out, &value, sizeof value);
    return 0;
}

int timer_set_interval(int which, const void *in, void *old, uintptr_t site)
{
    struct itimerval value = {0};
    uint64_t first, interval;
    called_reads_before(OP_TIMER_SET, in, sizeof value, site);
    if (in != NULL)
        memcpy(&value, in, sizeof value);
    if (!is_interval_timer(which) || !to_length(&value.it_value, &first) ||
        !to_length(&value.it_interval, &interval))
        return fails(EINVAL);
    const struct timer *timer = interval_timer(which);
    bool armed = timer->armed;
    uint64_t old_interval = timer->interval;
    uint64_t left = set_interval_timer(which, first, interval, site);
    if (old == NULL)
        return 0;
    struct itimerval was = {0};
    if (armed && left > 0) {
        was.it_value = as_timeval(left);
        was.it_interval = as_timeval(old_interval);
    }
    memory_access(old, sizeof was, true, site);
    memcpy(old, &was, sizeof was);
    return 0;
}

static struct timer *find(timer_t handle)
{
    struct timer *timer = ex.timers.all;
    while (timer != NULL && timer->handle != (uintptr_t)handle)
        timer = timer->next;
    return timer;
}

static bool is_signal(int number)
{
    return number > 0 && number < SIGNALS_END;
}

static int event_error(const struct sigevent *event, thread_id *target)
{
    *target = NO_THREAD;
    switch (event->sigev_notify) {
    case SIGEV_NONE:
    case SIGEV_THREAD:
        return 0;
    case SIGEV_SIGNAL:
        return is_signal(event->sigev_signo) ? 0 : EINVAL;
    case SIGEV_THREAD_ID:
        *target = identity_thread(event->_sigev_un._tid);
        return is_signal(event->sigev_signo) && *target != NO_THREAD ? 0 : EINVAL;
    default:
        return EINVAL;
    }
}

static bool is_timer_clock(clockid_t clock)
{
    return clock_is_known(clock) && clock != CLOCK_MONOTONIC_RAW &&
           clock != CLOCK_MONOTONIC_COARSE && clock != CLOCK_REALTIME_COARSE;
}

int timer_make(clockid_t clock, const struct sigevent *wanted, timer_t *handle, uintptr_t site)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    thread_id target;
    if (wanted != NULL) {
        called_reads(wanted, sizeof *wanted, site);
        event = *wanted;
    }
    if (!is_timer_clock(clock) || event_error(&event, &target) != 0)
        return fails(EINVAL);
    step_sees_time(); /* the first timer has the first number */
    struct timer *timer = make_numbered(clock, event.sigev_signo);
    timer->event = event;
    timer->target = target;
    if (wanted == NULL)
        event.sigev_value.sival_int = (int)timer->handle;
    timer->info.si_code = SI_TIMER;
    timer->info.si_timerid = (int)timer->handle;
    timer->info.si_value = event.sigev_value;
    timer->next = ex.timers.all;
    ex.timers.all = timer;
    memory_access(handle, sizeof *handle, true, site);
    *handle = (timer_t)timer->handle;
    return 0;
}

static struct timespec as_timespec(uint64_t time)
{
    return (struct timespec){.tv_sec = (time_t)(time / CLOCK_SECOND),
                             .tv_nsec = (long)(time % CLOCK_SECOND)};
}

static void store_left(const struct timer *timer, struct itimerspec *out, uintptr_t site)
{
    memory_access(out, sizeof *out, true, site);
    *out = (struct itimerspec){.it_value = as_timespec(left_of(timer)),
                               .it_interval = as_timespec(timer->armed ? timer->interval : 0)};
}

int timer_set(timer_t handle, int flags, const struct itimerspec *value, struct itimerspec *old,
              uintptr_t site)
{
    struct timer *timer = find(handle);
    called_reads_before(OP_TIMER_SET, value, sizeof *value, site);
    if (timer == NULL || value == NULL || !clock_is_valid(&value->it_value) ||
        !clock_is_valid(&value->it_interval) || value->it_value.tv_sec < 0)
        return fails(EINVAL);
    struct itimerspec new = *value;
    announce_set(timer, site);
    if (find(handle) != timer) /* another thread has deleted it before this step */
        return fails(EINVAL);
    if (old != NULL)
        store_left(timer, old, site);
    timer_disarm(timer);
    timer->missed = 0;
    uint64_t first = clock_length(&new.it_value), now = timer_now(timer);
    if (first == 0)
        return 0;
    if (flags & TIMER_ABSTIME) {
        uint64_t date = timer_is_wall(timer) ? clock_now(timer->clock) : now;
        first = first > date ? first - date : 0;
    }
    timer_arm(timer, now + first, clock_length(&new.it_interval), site);
    return 0;
}

int timer_get(timer_t handle, struct itimerspec *out, uintptr_t site)
{
    const struct timer *timer = find(handle);
    if (timer == NULL)
        return fails(EINVAL);
    step_note(left_of(timer));
    store_left(timer, out, site);
    return 0;
}

int timer_overrun(timer_t handle)
{
    const struct timer *timer = find(handle);
    return timer == NULL ? fails(EINVAL) : timer->info.si_overrun;
}

int timer_remove(timer_t handle, uintptr_t site)
{
    struct timer *timer = find(handle);
    if (timer == NULL)
        return fails(EINVAL);
    announce_set(timer, site);
    if (find(handle) != timer) /* another thread has deleted it before this step */
        return fails(EINVAL);
    timer_disarm(timer);
    struct timer **link = &ex.timers.all;
    while (*link != NULL && *link != timer)
        link = &(*link)->next;
    if (*link != NULL)
        *link = timer->next;
    return 0;
}
