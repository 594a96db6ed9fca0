// Results of the functions on eventfds; the same as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static short ready(int descriptor)
{
    struct pollfd file = {.fd = descriptor, .events = POLLIN | POLLOUT};
    poll(&file, 1, 0);
    return file.revents;
}

static void counts(void)
{
    uint64_t value = 0;
    int fd = eventfd(3, EFD_NONBLOCK | EFD_CLOEXEC);
    assert(fcntl(fd, F_GETFL) == (O_RDWR | O_NONBLOCK) && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    assert(ready(fd) == (POLLIN | POLLOUT));
    assert(read(fd, &value, 8) == 8 && value == 3);
    assert(ready(fd) == POLLOUT);
    fails(read(fd, &value, 8), EAGAIN);
    fails(read(fd, &value, 7), EINVAL);
    fails(write(fd, &value, 7), EINVAL);
    value = UINT64_MAX;
    fails(write(fd, &value, 8), EINVAL);
    value = UINT64_MAX - 1;
    assert(write(fd, &value, 8) == 8 && ready(fd) == POLLIN);
    fails(eventfd_write(fd, 1), EAGAIN);
    assert(eventfd_write(fd, 0) == 0);
    assert(eventfd_read(fd, &value) == 0 && value == UINT64_MAX - 1);
    fails(eventfd_read(fd, &value), EAGAIN);
    assert(close(fd) == 0);
    fails(eventfd_read(fd, &value), EBADF);
}

static void as_semaphore(void)
{
    uint64_t value = 0;
    int fd = eventfd(2, EFD_SEMAPHORE);
    assert(read(fd, &value, 8) == 8 && value == 1);
    assert(read(fd, &value, 8) == 8 && value == 1);
    assert(ready(fd) == POLLOUT);
    assert(close(fd) == 0);
    fails(eventfd(0, EFD_SEMAPHORE | 16), EINVAL);
}

int main(void)
{
    counts();
    as_semaphore();
    return 0;
}
