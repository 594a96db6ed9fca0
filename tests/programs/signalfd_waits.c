// A thread that reads a signalfd, or polls it, waits until a signal of its mask is pending.
//
// read: the thread sends; read waits for that, and join for the thread's end: 1.
// poll: the same: 1.
// epoll: main makes the epoll and adds the file before it waits; the signal comes before, between or after: 3.
// two: main sends K1, K2 and joins both readers, J0, J1; R0 and R1 each wait for a signal of their own.
//      K1 K2 and then R0 J0 R1 J1, R0 R1 J0 J1 or R1 R0 J0 J1; K1 R0 K2 and J0 R1 J1 or R1 J0 J1; K1 R1 K2 R0 J0 J1:
//      6.
// child: the end of a child process, which read waits for: 1.
// modes: all preload
// run: -s dfs -- read
// expect: no finding
// expect: executions 1
// run: -s dfs -- poll
// expect: no finding
// expect: executions 1
// run: -s dfs -- epoll
// expect: no finding
// expect: executions 3
// expect: complete == true
// run: -s dfs -- two
// expect: no finding
// expect: executions 6
// expect: complete == true
// run: -s dfs -- child
// expect: no finding
// expect: executions 1
// run: -s dfs -- unsent
// expect: finding deadlock
// run: -s random -n 30 -- two
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd;
static const char *how;

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

static int take(void)
{
    struct signalfd_siginfo info;
    assert(read(fd, &info, sizeof info) == sizeof info);
    return (int)info.ssi_signo;
}

static void *send_one(void *unused)
{
    assert(kill(getpid(), SIGUSR1) == 0);
    return unused;
}

static void *take_one(void *number)
{
    *(int *)number = take();
    return NULL;
}

static void wait_for_one(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, send_one, NULL) == 0);
    if (is("poll")) {
        struct pollfd look = {.fd = fd, .events = POLLIN};
        assert(poll(&look, 1, -1) == 1 && look.revents == POLLIN);
    } else if (is("epoll")) {
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = 5};
        int poller = epoll_create1(0);
        assert(epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) == 0);
        assert(epoll_wait(poller, &event, 1, -1) == 1 && event.data.u64 == 5);
    }
    assert(take() == SIGUSR1);
    assert(pthread_join(thread, NULL) == 0);
}

static void two(void)
{
    pthread_t threads[2];
    int got[2];
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&threads[i], NULL, take_one, &got[i]) == 0);
    assert(kill(getpid(), SIGUSR1) == 0);
    assert(kill(getpid(), SIGUSR2) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(threads[i], NULL) == 0);
    assert(got[0] + got[1] == SIGUSR1 + SIGUSR2 && got[0] != got[1]);
}

static void of_child(void)
{
    struct signalfd_siginfo info;
    pid_t child = fork();
    if (child == 0) { /* its own signals, by the same file */
        kill(getpid(), SIGUSR2);
        _exit(read(fd, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR2 ? 6 : 1);
    }
    assert(read(fd, &info, sizeof info) == sizeof info && info.ssi_signo == SIGCHLD);
    assert(info.ssi_pid == (uint32_t)child && info.ssi_status == 6 && info.ssi_code == CLD_EXITED);
    assert(waitpid(child, NULL, WNOHANG) == child);
}

int main(int argc, char **argv)
{
    sigset_t set;
    how = argc > 1 ? argv[1] : "read";
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGCHLD);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    fd = signalfd(-1, &set, SFD_CLOEXEC);
    if (is("two"))
        two();
    else if (is("child"))
        of_child();
    else if (is("unsent"))
        take();
    else
        wait_for_one();
    return 0;
}
