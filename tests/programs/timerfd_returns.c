// Results of the functions on timerfds; the same as without Bohr, where it takes a little longer.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
// expect: wall_seconds < 2
#define _GNU_SOURCE
#include <assert.h>
#include <bohr.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MILLISECOND 1000000l

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static long now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000 * MILLISECOND + time.tv_nsec;
}

/* A millisecond, or as much as a busy machine may take between two calls. */
static long unit(void)
{
    return bohr_running() ? MILLISECOND : 20 * MILLISECOND;
}

static uint64_t expirations(int fd)
{
    uint64_t count = 0;
    assert(read(fd, &count, 8) == 8);
    return count;
}

static void errors(int fd)
{
    struct itimerspec time = {.it_value.tv_nsec = 1000 * MILLISECOND};
    fails(timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0), EINVAL);
    fails(timerfd_create(CLOCK_MONOTONIC, 1), EINVAL);
    fails(timerfd_settime(fd, 0, &time, NULL), EINVAL);
    time.it_value.tv_nsec = 0;
    fails(timerfd_settime(fd, 8, &time, NULL), EINVAL);
    fails(timerfd_settime(0, 0, &time, NULL), EINVAL);
    fails(timerfd_settime(99, 0, &time, NULL), EBADF);
    fails(timerfd_gettime(99, &time), EBADF);
    fails(write(fd, &time, 8), EINVAL);
    fails(read(fd, &time, 7), EINVAL);
    fails(read(fd, &time, 8), EAGAIN);
}

static void once(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec time = {.it_value.tv_nsec = 20 * unit()}, old;
    long start = now(CLOCK_MONOTONIC);
    assert(timerfd_settime(fd, 0, &time, NULL) == 0);
    assert(timerfd_gettime(fd, &old) == 0 && old.it_value.tv_nsec > 0 &&
           old.it_value.tv_nsec <= 20 * unit() && old.it_interval.tv_nsec == 0);
    assert(expirations(fd) == 1);
    assert(now(CLOCK_MONOTONIC) - start >= 20 * unit());
    assert(timerfd_gettime(fd, &old) == 0 && old.it_value.tv_nsec == 0);
    struct pollfd file = {.fd = fd, .events = POLLIN};
    assert(poll(&file, 1, 10) == 0);
    assert(timerfd_settime(fd, 0, &time, &old) == 0 && old.it_value.tv_nsec == 0);
    assert(poll(&file, 1, -1) == 1 && file.revents == POLLIN);
    assert(poll(&file, 1, 0) == 1 && expirations(fd) == 1);
    close(fd);
}

static void again_and_again(void)
{
    int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    long first = now(CLOCK_REALTIME) + 30 * unit();
    struct itimerspec time = {.it_value = {first / 1000000000, first % 1000000000},
                              .it_interval.tv_nsec = 30 * unit()};
    assert(timerfd_settime(fd, TFD_TIMER_ABSTIME, &time, NULL) == 0);
    uint64_t count;
    fails(read(fd, &count, 8), EAGAIN);
    usleep((useconds_t)(100 * unit() / 1000));
    uint64_t passed = expirations(fd);
    assert(passed == 3 || (passed > 3 && !bohr_running())); /* a busy machine sleeps longer */
    while (read(fd, &count, 8) == -1) /* time passes although nobody looks at a clock */
        assert(errno == EAGAIN);
    assert(count == 1 || (count > 1 && !bohr_running()));
    time = (struct itimerspec){0};
    assert(timerfd_settime(fd, 0, &time, NULL) == 0);
    errno = 0;
    fails(read(fd, &count, 8), EAGAIN);
    close(fd);
}

int main(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    assert(fcntl(fd, F_GETFL) == (O_RDWR | O_NONBLOCK));
    errors(fd);
    once();
    again_and_again();
    return 0;
}
