// Results of the functions on pipes; the same as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char bytes[1 << 17];

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static short ready(int descriptor, short events)
{
    struct pollfd file = {.fd = descriptor, .events = events};
    int count = poll(&file, 1, 0);
    assert(count == (file.revents != 0));
    return file.revents;
}

static void numbers_and_flags(void)
{
    int lowest = dup(0), ends[2], other[2];
    close(lowest);
    assert(pipe(ends) == 0);
    assert(ends[0] == lowest && ends[1] == lowest + 1);
    assert(fcntl(ends[0], F_GETFL) == O_RDONLY && fcntl(ends[1], F_GETFL) == O_WRONLY);
    assert(fcntl(ends[0], F_GETFD) == 0);
    assert(pipe2(other, O_CLOEXEC | O_NONBLOCK) == 0);
    assert(fcntl(other[0], F_GETFD) == FD_CLOEXEC);
    assert(fcntl(other[1], F_GETFL) == (O_WRONLY | O_NONBLOCK));
    assert(fcntl(other[0], F_SETFL, 0) == 0 && fcntl(other[0], F_GETFL) == O_RDONLY);
    assert(fcntl(other[0], F_SETFD, 0) == 0 && fcntl(other[0], F_GETFD) == 0);
    fails(pipe2(ends, O_APPEND | O_EXCL), EINVAL);
    assert(close(ends[0]) == 0 && close(ends[1]) == 0);
    fails(close(ends[0]), EBADF);
    assert(dup(other[0]) == lowest && fcntl(other[1], F_DUPFD, 20) == 20);
    assert(fcntl(20, F_DUPFD_CLOEXEC, 20) == 21 && fcntl(21, F_GETFD) == FD_CLOEXEC);
    fails(fcntl(20, F_DUPFD, -1), EINVAL);
    assert(dup2(20, 30) == 30 && dup2(30, 30) == 30 && dup3(30, 31, O_CLOEXEC) == 31);
    fails(dup3(30, 30, 0), EINVAL);
    fails(dup2(99, 30), EBADF);
    fails(dup2(99, 98), EBADF);
    assert(write(31, "x", 1) == 1 && read(lowest, bytes, 9) == 1 && bytes[0] == 'x');
    for (int fd = lowest; fd < 32; fd++)
        close(fd);
    errno = 0;
}

static void wrong_ends(int ends[2])
{
    fails(read(ends[1], bytes, 1), EBADF);
    fails(write(ends[0], bytes, 1), EBADF);
    fails(read(77, bytes, 1), EBADF);
    fails(write(77, bytes, 1), EBADF);
    fails(lseek(ends[0], 0, SEEK_SET), ESPIPE);
    fails(pread(ends[0], bytes, 1, 0), ESPIPE);
    fails(pwrite(ends[1], bytes, 1, 0), ESPIPE);
    assert(isatty(ends[0]) == 0 && errno == ENOTTY);
    errno = 0;
    struct stat status;
    assert(fstat(ends[0], &status) == 0 && S_ISFIFO(status.st_mode));
    volatile int none = -1;
    fails(readv(ends[0], NULL, none), EINVAL);
}

static void in_parts(int ends[2])
{
    char a[3], b[5] = {0};
    struct iovec out[2] = {{"hello ", 6}, {"world", 5}}, in[2] = {{a, 3}, {b, 4}};
    int there;
    assert(writev(ends[1], out, 2) == 11);
    assert(ioctl(ends[0], FIONREAD, &there) == 0 && there == 11);
    assert(readv(ends[0], in, 2) == 7);
    assert(memcmp(a, "hel", 3) == 0 && memcmp(b, "lo w", 4) == 0);
    assert(read(ends[0], bytes, 100) == 4 && memcmp(bytes, "orld", 4) == 0);
    assert(write(ends[1], bytes, 0) == 0 && read(ends[0], bytes, 0) == 0);
}

/* Full after 16 pages; up to a page is written as a whole, more than that in part. */
static void full(int ends[2])
{
    assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    fails(read(ends[0], bytes, 1), EAGAIN);
    assert(fcntl(ends[0], F_GETPIPE_SZ) == 65536);
    assert(ready(ends[1], POLLOUT) == POLLOUT && ready(ends[0], POLLIN) == 0);
    for (int i = 0; i < 16; i++)
        assert(write(ends[1], bytes, 4000) == 4000);
    fails(write(ends[1], bytes, 97), EAGAIN);
    assert(ready(ends[1], POLLOUT) == 0 && ready(ends[0], POLLIN) == POLLIN);
    assert(write(ends[1], bytes, 96) == 96); /* the last page had room */
    fails(write(ends[1], bytes, 1), EAGAIN);
    assert(read(ends[0], bytes, 3999) == 3999);
    fails(write(ends[1], bytes, 1), EAGAIN); /* no page is free yet */
    assert(read(ends[0], bytes, 1) == 1);
    assert(ready(ends[1], POLLOUT) == POLLOUT);
    assert(write(ends[1], bytes, 5000) == 4096);
    fails(write(ends[1], bytes, PIPE_BUF), EAGAIN);
    assert(read(ends[0], bytes, sizeof bytes) == 15 * 4000 + 96 + 4096);
    assert(write(ends[1], bytes, sizeof bytes) == 65536);
    assert(read(ends[0], bytes, sizeof bytes) == 65536);
}

static void ends_close(int ends[2])
{
    int copy = dup(ends[1]);
    assert(write(ends[1], "z", 1) == 1 && close(ends[1]) == 0);
    assert(read(ends[0], bytes, 9) == 1);
    fails(read(ends[0], bytes, 9), EAGAIN); /* the copy is still open */
    assert(ready(ends[0], POLLIN) == 0);
    assert(close(copy) == 0);
    assert(read(ends[0], bytes, 9) == 0 && read(ends[0], bytes, 9) == 0);
    assert(ready(ends[0], POLLIN) == POLLHUP);
    assert(close(ends[0]) == 0);
    assert(ready(ends[0], POLLIN) == POLLNVAL);
}

static int caught;

static void on_signal(int number)
{
    caught += number == SIGPIPE;
}

static void broken(void)
{
    int ends[2];
    assert(pipe(ends) == 0 && close(ends[0]) == 0);
    assert(ready(ends[1], POLLOUT) == (POLLOUT | POLLERR));
    signal(SIGPIPE, SIG_IGN);
    fails(write(ends[1], bytes, 1), EPIPE);
    signal(SIGPIPE, on_signal);
    fails(write(ends[1], bytes, 1), EPIPE);
    assert(caught == 1);
    close(ends[1]);
}

int main(void)
{
    int ends[2];
    numbers_and_flags();
    assert(pipe(ends) == 0);
    wrong_ends(ends);
    in_parts(ends);
    full(ends);
    ends_close(ends);
    broken();
    return 0;
}
