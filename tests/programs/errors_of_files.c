// Each error that POSIX defines for a function on pipes and the like, where it can be provoked; as
// without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

static char bytes[1 << 16];
// Below 64: select does not see a descriptor beyond the kernel's table, whose least size that is.
static int none = 60, ends[2], file;
static struct stat status;
static eventfd_t count;
static struct iovec part = {bytes, 1};
static struct epoll_event event;
static struct itimerspec timer, wrong_timer = {.it_value.tv_nsec = 1000000000};
static const struct timespec wrong = {.tv_nsec = 1000000000};

static void fails(long result, int error)
{
    if (result != -1 || errno != error)
        fprintf(stderr, "expected %s, got %ld %s\n", strerrorname_np(error), result,
                strerrorname_np(errno));
    assert(result == -1 && errno == error);
    errno = 0;
}

static void no_descriptor(void)
{
    fails(close(none), EBADF);
    fails(dup(none), EBADF);
    fails(dup2(none, 50), EBADF);
    fails(dup2(ends[0], -1), EBADF);
    fails(dup2(ends[0], 1 << 30), EBADF);
    fails(dup3(none, 50, 0), EBADF);
    fails(dup3(ends[0], -1, 0), EBADF);
    fails(fcntl(none, F_GETFL), EBADF);
    fails(fcntl(none, F_DUPFD, 0), EBADF);
    fails(ioctl(none, FIONREAD, &file), EBADF);
    fails(fstat(none, &status), EBADF);
    fails(lseek(none, 0, SEEK_SET), EBADF);
    assert(isatty(none) == 0 && errno == EBADF);
    assert(fdopen(none, "r") == NULL && errno == EBADF);
    fails(read(none, bytes, 1), EBADF);
    fails(write(none, bytes, 1), EBADF);
    fails(readv(none, &part, 1), EBADF);
    fails(writev(none, &part, 1), EBADF);
    fails(pread(none, bytes, 1, 0), EBADF);
    fails(pwrite(none, bytes, 1, 0), EBADF);
    fails(eventfd_read(none, &count), EBADF);
    fails(eventfd_write(none, 1), EBADF);
    fails(dprintf(none, "x"), EBADF);
    fails(timerfd_settime(none, 0, &timer, NULL), EBADF);
    fails(timerfd_gettime(none, &timer), EBADF);
    fails(epoll_ctl(none, EPOLL_CTL_ADD, ends[0], &event), EBADF);
    fails(epoll_wait(none, &event, 1, 0), EBADF);
    fails(epoll_pwait(none, &event, 1, 0, NULL), EBADF);
    fails(epoll_pwait2(none, &event, 1, NULL, NULL), EBADF);
    struct pollfd one = {.fd = none, .events = POLLIN};
    assert(poll(&one, 1, 0) == 1 && one.revents == POLLNVAL);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(none, &set);
    fails(select(none + 1, &set, NULL, NULL, NULL), EBADF);
    fails(pselect(none + 1, &set, NULL, NULL, NULL, NULL), EBADF);
}

static void wrong_end(void)
{
    fails(read(ends[1], bytes, 1), EBADF);
    fails(write(ends[0], bytes, 1), EBADF);
    fails(readv(ends[1], &part, 1), EBADF);
    fails(writev(ends[0], &part, 1), EBADF);
    fails(dprintf(ends[0], "x"), EBADF);
    fails(pread(ends[0], bytes, 1, 0), ESPIPE);
    fails(pwrite(ends[1], bytes, 1, 0), ESPIPE);
    fails(pread(ends[0], bytes, 1, -1), EINVAL);
    fails(pwrite(ends[1], bytes, 1, -1), EINVAL);
    fails(lseek(ends[0], 0, SEEK_SET), ESPIPE);
    assert(isatty(ends[0]) == 0 && errno == ENOTTY);
}

static void wrong_arguments(void)
{
    volatile int negative = -1;
    volatile int many = IOV_MAX + 1;
    struct iovec large[2] = {{bytes, 1}, {bytes, SIZE_MAX}};
    fails(pipe2(ends, O_APPEND), EINVAL);
    fails(dup3(ends[0], 50, ~0), EINVAL);
    fails(dup3(ends[0], ends[0], 0), EINVAL);
    fails(fcntl(ends[0], F_DUPFD, -1), EINVAL);
    fails(fcntl(ends[0], F_DUPFD, 1 << 30), EINVAL);
    fails(lseek(file, 0, 99), EINVAL);
    assert(fdopen(ends[0], "?") == NULL && errno == EINVAL);
    fails(readv(ends[0], &part, negative), EINVAL);
    fails(writev(ends[1], &part, negative), EINVAL);
    fails(readv(ends[0], &part, many), EINVAL);
    fails(writev(ends[1], &part, many), EINVAL);
    fails(readv(ends[0], large, 2), EINVAL);
    fails(writev(ends[1], large, 2), EINVAL);
    fails(eventfd(0, ~0), EINVAL);
    int event_file = eventfd(0, EFD_NONBLOCK);
    fails(read(event_file, bytes, 1), EINVAL);
    fails(write(event_file, bytes, 1), EINVAL);
    fails(eventfd_write(event_file, ~0ull), EINVAL);
    fails(eventfd_read(event_file, &count), EAGAIN);
    assert(eventfd_write(event_file, ~0ull - 1) == 0);
    fails(eventfd_write(event_file, 1), EAGAIN);
    fails(timerfd_create(99, 0), EINVAL);
    fails(timerfd_create(CLOCK_MONOTONIC, ~0), EINVAL);
    fails(timerfd_settime(event_file, 0, &timer, NULL), EINVAL);
    fails(timerfd_gettime(event_file, &timer), EINVAL);
    int timer_file = timerfd_create(CLOCK_MONOTONIC, 0);
    fails(timerfd_settime(timer_file, 0, &wrong_timer, NULL), EINVAL);
    fails(timerfd_settime(timer_file, ~0, &timer, NULL), EINVAL);
    fails(epoll_create(0), EINVAL);
    fails(epoll_create1(~0), EINVAL);
    int set = epoll_create1(0);
    fails(epoll_wait(set, &event, 0, 0), EINVAL);
    fails(epoll_wait(event_file, &event, 1, 0), EINVAL);
    fails(epoll_pwait(set, &event, 0, 0, NULL), EINVAL);
    fails(epoll_pwait2(set, &event, 0, NULL, NULL), EINVAL);
    fails(epoll_pwait2(set, &event, 1, &wrong, NULL), EINVAL);
    struct pollfd one = {.fd = ends[0]};
    volatile nfds_t too_many = 1u << 30;
    fails(poll(&one, too_many, 0), EINVAL);
    fails(ppoll(&one, too_many, NULL, NULL), EINVAL);
    fails(ppoll(&one, 1, &wrong, NULL), EINVAL);
    struct timeval negative_time = {.tv_sec = -1};
    fails(select(-1, NULL, NULL, NULL, NULL), EINVAL);
    fails(select(0, NULL, NULL, NULL, &negative_time), EINVAL);
    fails(pselect(-1, NULL, NULL, NULL, NULL, NULL), EINVAL);
    fails(pselect(0, NULL, NULL, NULL, &wrong, NULL), EINVAL);
    close(event_file);
    close(timer_file);
    close(set);
}

static void would_wait(void)
{
    assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    fails(read(ends[0], bytes, 1), EAGAIN);
    fails(readv(ends[0], &part, 1), EAGAIN);
    assert(write(ends[1], bytes, sizeof bytes) == sizeof bytes);
    fails(write(ends[1], bytes, 1), EAGAIN);
    fails(writev(ends[1], &part, 1), EAGAIN);
    fails(dprintf(ends[1], "x"), EAGAIN);
}

static void nobody_reads(void)
{
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    fails(write(ends[1], bytes, 1), EPIPE);
    fails(writev(ends[1], &part, 1), EPIPE);
    fails(dprintf(ends[1], "x"), EPIPE);
    close(ends[1]);
}

static void other_files(void)
{
    int folder = open("/", O_RDONLY | O_DIRECTORY);
    fails(read(folder, bytes, 1), EISDIR);
    fails(readv(folder, &part, 1), EISDIR);
    fails(pread(folder, bytes, 1, 0), EISDIR);
    fails(open("/", O_WRONLY), EISDIR);
    fails(open("/nowhere", O_RDONLY), ENOENT);
    fails(open("/dev/null/there", O_RDONLY), ENOTDIR);
    fails(open("/", O_RDONLY | O_CREAT | O_EXCL, 0600), EEXIST);
    int full = open("/dev/full", O_WRONLY);
    fails(write(full, bytes, 1), ENOSPC);
    fails(writev(full, &part, 1), ENOSPC);
    fails(pwrite(full, bytes, 1, 0), ENOSPC);
    fails(dprintf(full, "x"), ENOSPC);
    close(folder);
    close(full);
}

int main(void)
{
    file = open("/dev/null", O_RDWR);
    assert(file >= 0 && pipe(ends) == 0);
    no_descriptor();
    wrong_end();
    wrong_arguments();
    would_wait();
    nobody_reads();
    other_files();
    return 0;
}
