// Results of poll, select and epoll; the same as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static void polls(void)
{
    int ends[2], event = eventfd(0, 0);
    assert(pipe(ends) == 0);
    struct pollfd files[4] = {{.fd = ends[0], .events = POLLIN},
                              {.fd = ends[1], .events = POLLOUT},
                              {.fd = -1, .events = POLLIN, .revents = 7},
                              {.fd = event, .events = POLLIN}};
    assert(poll(files, 4, 0) == 1 && files[1].revents == POLLOUT && files[0].revents == 0 &&
           files[2].revents == 0 && files[3].revents == 0);
    files[1].fd = 99;
    assert(poll(files, 4, -1) == 1 && files[1].revents == POLLNVAL);
    files[1].fd = -5;
    struct timespec soon = {.tv_nsec = 1000000}, wrong = {.tv_nsec = -1};
    assert(poll(files, 4, 1) == 0 && ppoll(files, 4, &soon, NULL) == 0);
    fails(ppoll(files, 4, &wrong, NULL), EINVAL);
    assert(eventfd_write(event, 1) == 0 && write(ends[1], "x", 1) == 1);
    assert(ppoll(files, 4, NULL, NULL) == 2 && files[0].revents == POLLIN &&
           files[3].revents == POLLIN);
    close(ends[0]);
    close(ends[1]);
    close(event);
}

static void selects(void)
{
    int ends[2], event = eventfd(1, 0);
    assert(pipe(ends) == 0);
    fd_set in, out;
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(ends[0], &in);
    FD_SET(event, &in);
    FD_SET(event, &out);
    assert(select(event + 2, &in, &out, NULL, NULL) == 2);
    assert(!FD_ISSET(ends[0], &in) && FD_ISSET(event, &in) && FD_ISSET(event, &out));
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    struct timeval time = {.tv_usec = 1000};
    assert(select(ends[0] + 1, &in, NULL, NULL, &time) == 0 && !FD_ISSET(ends[0], &in));
    FD_SET(ends[0], &in);
    close(ends[1]);
    assert(pselect(ends[0] + 1, &in, NULL, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &in));
    close(ends[0]);
    fails(select(ends[0] + 1, &in, NULL, NULL, NULL), EBADF);
    fails(select(-1, &in, NULL, NULL, NULL), EINVAL);
    close(event);
}

static int wait_once(int epoll, struct epoll_event *event)
{
    return epoll_wait(epoll, event, 1, 0);
}

static void epoll_errors(int epoll, int event)
{
    struct epoll_event wanted = {.events = EPOLLIN}, got[2];
    FILE *file = tmpfile();
    fails(epoll_create1(1), EINVAL);
    fails(epoll_create(0), EINVAL);
    fails(epoll_ctl(epoll, EPOLL_CTL_MOD, event, &wanted), ENOENT);
    fails(epoll_ctl(epoll, EPOLL_CTL_DEL, event, NULL), ENOENT);
    fails(epoll_ctl(epoll, EPOLL_CTL_ADD, epoll, &wanted), EINVAL);
    fails(epoll_ctl(event, EPOLL_CTL_ADD, epoll, &wanted), EINVAL);
    fails(epoll_ctl(epoll, 9, event, &wanted), EINVAL);
    fails(epoll_ctl(99, EPOLL_CTL_ADD, event, &wanted), EBADF);
    fails(epoll_ctl(epoll, EPOLL_CTL_ADD, 99, &wanted), EBADF);
    fails(epoll_ctl(epoll, EPOLL_CTL_ADD, fileno(file), &wanted), EPERM);
    fails(epoll_wait(event, got, 2, 0), EINVAL);
    fails(epoll_wait(99, got, 2, 0), EBADF);
    fails(epoll_wait(epoll, got, 0, 0), EINVAL);
    fails(read(epoll, got, 8), EINVAL);
    fails(write(epoll, got, 8), EINVAL);
    fclose(file);
}

static void epolls(void)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC), event = eventfd(0, 0), other = eventfd(1, 0);
    struct epoll_event wanted = {.events = EPOLLIN, .data.u64 = 1}, got[3];
    assert(fcntl(epoll, F_GETFD) == FD_CLOEXEC);
    epoll_errors(epoll, event);
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted) == 0);
    fails(epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted), EEXIST);
    assert(epoll_wait(epoll, got, 3, 1) == 0);
    wanted.data.u64 = 2;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, other, &wanted) == 0);
    assert(epoll_wait(epoll, got, 3, -1) == 1 && got[0].data.u64 == 2 &&
           got[0].events == EPOLLIN);
    struct pollfd file = {.fd = epoll, .events = POLLIN};
    assert(poll(&file, 1, 0) == 1);
    assert(eventfd_write(event, 1) == 0 && epoll_wait(epoll, got, 3, -1) == 2);
    assert(wait_once(epoll, got) == 1 && wait_once(epoll, got + 1) == 1 &&
           got[0].data.u64 != got[1].data.u64); /* each in its turn */
    wanted.events = EPOLLIN | EPOLLONESHOT;
    assert(epoll_ctl(epoll, EPOLL_CTL_DEL, event, NULL) == 0);
    assert(epoll_ctl(epoll, EPOLL_CTL_MOD, other, &wanted) == 0);
    assert(wait_once(epoll, got) == 1 && wait_once(epoll, got) == 0);
    assert(epoll_ctl(epoll, EPOLL_CTL_MOD, other, &wanted) == 0 && wait_once(epoll, got) == 1);
    int outer = epoll_create(1);
    wanted.events = EPOLLIN;
    assert(epoll_ctl(outer, EPOLL_CTL_ADD, epoll, &wanted) == 0 && wait_once(outer, got) == 0);
    fails(epoll_ctl(epoll, EPOLL_CTL_ADD, outer, &wanted), ELOOP);
    assert(epoll_ctl(epoll, EPOLL_CTL_MOD, other, &wanted) == 0 && wait_once(outer, got) == 1);
    int copy = dup(other);
    close(other);
    assert(wait_once(epoll, got) == 1); /* the copy keeps the file */
    close(copy);
    assert(wait_once(epoll, got) == 0);
    close(epoll);
    close(outer);
    close(event);
}

static void edges(void)
{
    int ends[2], epoll = epoll_create1(0);
    char byte;
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLET}, got;
    assert(pipe2(ends, O_NONBLOCK) == 0);
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
    assert(wait_once(epoll, &got) == 0);
    assert(write(ends[1], "ab", 2) == 2);
    assert(wait_once(epoll, &got) == 1 && wait_once(epoll, &got) == 0);
    assert(read(ends[0], &byte, 1) == 1 && wait_once(epoll, &got) == 0); /* nothing new came */
    assert(write(ends[1], "c", 1) == 1 && wait_once(epoll, &got) == 1);
    assert(wait_once(epoll, &got) == 0);
    assert(epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &wanted) == 0 && wait_once(epoll, &got) == 1);
    close(ends[1]);
    assert(wait_once(epoll, &got) == 1 && got.events == (EPOLLIN | EPOLLHUP));
    close(ends[0]);
    close(epoll);
}

int main(void)
{
    polls();
    selects();
    epolls();
    edges();
    return 0;
}
