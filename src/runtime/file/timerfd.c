/* timerfd: expirations on the virtual clock. A thread that waits for one never has to wait for
 * another thread: carried out before its time, the operation moves the clock there. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "base/os.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/still.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/world.h"
#include "runtime/time/virtual_clock.h"

struct timer {
    struct file file;
    struct source source;
    clockid_t clock;
    uint64_t next;     /* moment of the next expiration that was not read; FILE_NEVER: disarmed */
    uint64_t interval; /* 0: only once */
};

static struct timer *timer_of(const struct file *file)
{
    return (struct timer *)file;
}

static uint32_t timer_ready(const struct file *file)
{
    return timer_of(file)->next <= ex.clock.time ? POLLIN | POLLRDNORM : 0;
}

static uint64_t timer_deadline(const struct file *file)
{
    return timer_of(file)->next;
}

static long timer_read(struct file *file, struct transfer *transfer)
{
    struct timer *timer = timer_of(file);
    if (transfer->size < sizeof(uint64_t))
        return -EINVAL;
    if (timer->next > ex.clock.time)
        return -EAGAIN;
    uint64_t times = 1;
    if (timer->interval > 0)
        times += (ex.clock.time - timer->next) / timer->interval;
    timer->next = timer->interval > 0 ? timer->next + times * timer->interval : FILE_NEVER;
    source_touch(&timer->source);
    source_acquire(&timer->source);
    step_note(times);
    transfer_give(transfer, &times, sizeof times);
    return sizeof times;
}

static uint64_t timer_still(struct file *file, struct still *still)
{
    struct timer *timer = timer_of(file);
    if (timer->next != FILE_NEVER)
        still_hide(still, &timer->next, sizeof timer->next, timer->next - ex.clock.time);
    return 0;
}

/* A timer that never expires: a thread that waits for it waits forever, and a child that does not
 * end is refused. */
static int timer_inherit(const struct file *file)
{
    return (int)os_call(SYS_timerfd_create, CLOCK_MONOTONIC, file->flags & TFD_NONBLOCK, 0, 0, 0,
                        0);
}

static const struct file_kind kind_timerfd = {
    .name = "timerfd",
    .ready = timer_ready,
    .read = timer_read,
    .deadline = timer_deadline,
    .still = timer_still,
    .inherit = timer_inherit,
};

int timerfd_open(int clock, int flags, uintptr_t site)
{
    if (flags & ~(TFD_CLOEXEC | TFD_NONBLOCK))
        return file_fails(EINVAL);
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME &&
        clock != CLOCK_REALTIME_ALARM && clock != CLOCK_BOOTTIME_ALARM)
        return file_fails(EINVAL);
    struct timer *timer = file_memory(sizeof *timer, site);
    timer->file.kind = &kind_timerfd;
    timer->file.flags = O_RDWR | (flags & TFD_NONBLOCK);
    timer->file.in = &timer->source;
    timer->clock = clock;
    timer->next = FILE_NEVER;
    return file_open(&timer->file, flags & TFD_CLOEXEC, site);
}

static struct timespec as_timespec(uint64_t nanoseconds)
{
    return (struct timespec){.tv_sec = (time_t)(nanoseconds / CLOCK_SECOND),
                             .tv_nsec = (long)(nanoseconds % CLOCK_SECOND)};
}

/* The time left; a timer that has expired unread counts on to its next expiration. */
static struct itimerspec setting_of(const struct timer *timer)
{
    uint64_t next = timer->next, left = 0;
    if (next != FILE_NEVER && next <= ex.clock.time && timer->interval > 0)
        next += ((ex.clock.time - next) / timer->interval + 1) * timer->interval;
    if (next != FILE_NEVER && next > ex.clock.time)
        left = next - ex.clock.time;
    return (struct itimerspec){.it_value = as_timespec(left),
                               .it_interval = as_timespec(timer->interval)};
}

static bool is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && clock_is_valid(time);
}

/* The timer behind a descriptor, once the operation on it has its turn; NULL and errno. */
static struct timer *timer_step(struct file_wait *wait)
{
    struct file *file = file_of(wait->descriptor);
    if (file == NULL || file->kind != &kind_timerfd) {
        file_fails(file == NULL && !world_has_descriptor(wait->descriptor) ? EBADF : EINVAL);
        return NULL;
    }
    if (file_step(wait, OP_FILE_CHANGE, file->in))
        return timer_of(wait->file);
    file_fails(EBADF);
    return NULL;
}

int timerfd_set(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old,
                const struct local *local)
{
    if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET) || new == NULL)
        return file_fails(new == NULL ? EFAULT : EINVAL);
    if (flags & TFD_TIMER_CANCEL_ON_SET)
        refuse_call("timerfd_settime",
                    "setting the clock is not modelled; "
                    "leave it as it is when testing",
                    local->site);
    memory_access(new, sizeof *new, false, local->site);
    struct itimerspec setting = *new;
    if (!is_time(&setting.it_value) || !is_time(&setting.it_interval))
        return file_fails(EINVAL);
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    struct timer *timer = timer_step(&wait);
    if (timer == NULL)
        return -1;
    struct itimerspec before = setting_of(timer);
    uint64_t after = clock_length(&setting.it_value), now = clock_now(timer->clock);
    bool armed = after > 0;
    if (flags & TFD_TIMER_ABSTIME)
        after = after > now ? after - now : 0;
    timer->next = armed ? clock_after(after) : FILE_NEVER;
    timer->interval = armed ? clock_length(&setting.it_interval) : 0;
    source_arrive(&timer->source);
    source_release(&timer->source);
    if (old != NULL) {
        memory_access(old, sizeof *old, true, local->site);
        *old = before;
    }
    return 0;
}

int timerfd_get(int descriptor, struct itimerspec *now, const struct local *local)
{
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    struct timer *timer = timer_step(&wait);
    if (timer == NULL)
        return -1;
    file_look(&timer->file, POLLIN);
    file_step_failed(&wait);
    struct itimerspec setting = setting_of(timer);
    memory_access(now, sizeof *now, true, local->site);
    *now = setting;
    return 0;
}
