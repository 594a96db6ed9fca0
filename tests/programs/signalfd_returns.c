// Results of the functions on signalfds; the same as without Bohr.
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
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sigset_t both, first;

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static void errors(int fd)
{
    char small[127];
    struct signalfd_siginfo info;
    fails(signalfd(-1, &both, 1), EINVAL);
    fails(signalfd(99, &both, 0), EBADF);
    fails(signalfd(0, &both, 0), EINVAL);
    fails(syscall(SYS_signalfd4, -1, &both, 4, 0), EINVAL);
    fails(read(fd, small, sizeof small), EINVAL);
    fails(read(fd, &info, sizeof info), EAGAIN);
    fails(write(fd, &info, sizeof info), EINVAL);
}

static int ready(int fd)
{
    struct pollfd look = {.fd = fd, .events = POLLIN | POLLOUT};
    int count = poll(&look, 1, 0);
    assert(count == (look.revents != 0) && !(look.revents & POLLOUT));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    assert(select(fd + 1, &set, NULL, NULL, &(struct timeval){0}) == count);
    return look.revents & POLLIN;
}

/* The lowest number first, thread's own before the process's; real-time signals queue, others do not. */
static void several(int fd)
{
    struct signalfd_siginfo all[8];
    memset(all, 1, sizeof all);
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
    assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 41}) == 0);
    assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 42}) == 0);
    assert(ready(fd));
    assert(read(fd, all, sizeof all) == 3 * sizeof *all);
    assert(all[0].ssi_signo == SIGUSR1 && all[0].ssi_code == SI_USER);
    assert(all[0].ssi_pid == (uint32_t)getpid() && all[0].ssi_uid == getuid());
    assert(all[1].ssi_signo == (uint32_t)SIGRTMIN && all[1].ssi_code == SI_QUEUE);
    assert(all[1].ssi_int == 41 && all[2].ssi_int == 42);
    assert(all[1].ssi_pid == (uint32_t)getpid());
    assert(!ready(fd));
    fails(read(fd, all, sizeof all), EAGAIN);
    raise(SIGUSR1);
    assert(read(fd, all, sizeof *all) == sizeof *all && all[0].ssi_code == SI_TKILL);
}

static void *look(void *fd)
{
    struct signalfd_siginfo info;
    assert(!ready(*(int *)fd)); /* what was sent to main is not for this thread */
    fails(read(*(int *)fd, &info, sizeof info), EAGAIN);
    return NULL;
}

static void of_thread(int fd)
{
    pthread_t thread;
    struct signalfd_siginfo info;
    pthread_kill(pthread_self(), SIGUSR1);
    assert(pthread_create(&thread, NULL, look, &fd) == 0 && pthread_join(thread, NULL) == 0);
    assert(ready(fd) && read(fd, &info, sizeof info) == sizeof info);
    assert(info.ssi_signo == SIGUSR1);
}

static void other_mask(int fd)
{
    struct signalfd_siginfo info;
    sigset_t pending;
    assert(signalfd(fd, &first, 0) == fd);
    kill(getpid(), SIGRTMIN);
    assert(!ready(fd));
    assert(syscall(SYS_signalfd4, fd, &both, 8, 0) == fd);
    assert(ready(fd) && read(fd, &info, sizeof info) == sizeof info);
    sigpending(&pending);
    assert(!sigismember(&pending, SIGRTMIN));
}

/* Each signal is news, also one that is pending already. */
static void by_edge(int fd)
{
    struct signalfd_siginfo info;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    int poller = epoll_create1(0);
    assert(epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) == 0);
    assert(epoll_wait(poller, &event, 1, 0) == 0);
    kill(getpid(), SIGUSR1);
    assert(epoll_wait(poller, &event, 1, 0) == 1 && event.events == EPOLLIN);
    assert(epoll_wait(poller, &event, 1, 0) == 0);
    kill(getpid(), SIGRTMIN);
    assert(epoll_wait(poller, &event, 1, -1) == 1);
    assert(read(fd, &info, sizeof info) == sizeof info && read(fd, &info, sizeof info) > 0);
    close(poller);
}

static void of_timer(int fd)
{
    struct signalfd_siginfo info;
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN,
                             .sigev_value.sival_int = 7};
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    assert(fcntl(fd, F_SETFL, 0) == 0 && timer_settime(timer, 0, &soon, NULL) == 0);
    assert(read(fd, &info, sizeof info) == sizeof info);
    assert(info.ssi_code == SI_TIMER && info.ssi_int == 7 && info.ssi_overrun == 0);
    assert(timer_delete(timer) == 0);
}

int main(void)
{
    sigemptyset(&first);
    sigaddset(&first, SIGUSR1);
    both = first;
    sigaddset(&both, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &both, NULL);
    int fd = signalfd(-1, &both, SFD_NONBLOCK | SFD_CLOEXEC);
    assert(fd >= 0 && fcntl(fd, F_GETFL) == (O_RDWR | O_NONBLOCK));
    assert(fcntl(fd, F_GETFD) == FD_CLOEXEC);
    errors(fd);
    several(fd);
    of_thread(fd);
    other_mask(fd);
    by_edge(fd);
    of_timer(fd);
    assert(close(fd) == 0);
    return 0;
}
