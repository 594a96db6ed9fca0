// ppoll, pselect and epoll_pwait block other signals while they wait, in one go: a signal that comes
// before the call or in it ends it, and no wake-up is lost. What is ready comes first: then the signal
// waits until it is no longer blocked. As without Bohr.
// modes: all preload
// run: -s dfs -- ppoll
// expect: no finding
// expect: complete == true
// run: -s dfs -- pselect
// expect: no finding
// expect: complete == true
// run: -s dfs -- epoll
// expect: no finding
// expect: complete == true
// run: -s dfs -- epoll2
// expect: no finding
// expect: complete == true
// run: -s dfs -- raw
// expect: no finding
// expect: complete == true
// run: -s dfs -- ready
// expect: no finding
// expect: executions 1
// run: -s dfs -- unmasked
// expect: finding deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static int ends[2], set;
static sigset_t blocked, none;
static struct pollfd one;
static const char *way;

static void on_signal(int number)
{
    handled += number == SIGUSR1;
}

static int wait_for(void)
{
    struct epoll_event event;
    fd_set files;
    FD_ZERO(&files);
    FD_SET(ends[0], &files);
    if (strcmp(way, "pselect") == 0) {
        int result = pselect(ends[0] + 1, &files, NULL, NULL, NULL, &none);
        assert(FD_ISSET(ends[0], &files)); /* not changed */
        return result;
    }
    if (strcmp(way, "epoll") == 0)
        return epoll_pwait(set, &event, 1, -1, &none);
    if (strcmp(way, "epoll2") == 0)
        return epoll_pwait2(set, &event, 1, NULL, &none);
    if (strcmp(way, "raw") == 0)
        return (int)syscall(SYS_ppoll, &one, 1, NULL, &none, 8);
    if (strcmp(way, "unmasked") == 0) {
        pthread_sigmask(SIG_SETMASK, &none, NULL); /* and the signal can come here */
        return poll(&one, 1, -1);
    }
    return ppoll(&one, 1, NULL, &none);
}

static void *send(void *receiver)
{
    assert(pthread_kill(*(pthread_t *)receiver, SIGUSR1) == 0);
    return NULL;
}

static int is_blocked(void)
{
    sigset_t now;
    assert(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    return sigismember(&now, SIGUSR1);
}

static void ready_comes_first(void)
{
    assert(write(ends[1], "x", 1) == 1 && raise(SIGUSR1) == 0 && handled == 0);
    assert(ppoll(&one, 1, NULL, &none) == 1 && one.revents == POLLIN);
    assert(handled == 0 && is_blocked());
    assert(pthread_sigmask(SIG_SETMASK, &none, NULL) == 0 && handled == 1);
}

int main(int argc, char **argv)
{
    static pthread_t self;
    pthread_t thread;
    way = argc > 1 ? argv[1] : "ppoll";
    sigaddset(&blocked, SIGUSR1);
    assert(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL) == 0);
    assert(pthread_sigmask(SIG_BLOCK, &blocked, NULL) == 0);
    assert(pipe(ends) == 0);
    one = (struct pollfd){.fd = ends[0], .events = POLLIN};
    set = epoll_create1(0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){.events = EPOLLIN}) == 0);
    if (strcmp(way, "ready") == 0) {
        ready_comes_first();
        return 0;
    }
    self = pthread_self();
    assert(pthread_create(&thread, NULL, send, &self) == 0);
    assert(wait_for() == -1 && errno == EINTR);
    assert(handled == 1 && is_blocked() == (strcmp(way, "unmasked") != 0));
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
