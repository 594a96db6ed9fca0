// A supervisor as people write it: an event loop over epoll, with a signalfd for SIGCHLD and SIGTERM, a timerfd that
// asks how things are, and a pipe for what the workers print; a thread stops it once all have been seen to end. The
// workers are started by posix_spawn and by fork and exec.
// modes: all preload
// run: -s random -n 15
// expect: no finding
// run: -s preempt -b 0 -n 15
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2 };

extern char **environ;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ended, statuses, ticks;
static char said[64];
static size_t said_size;
static int poller, signals, timer, output[2];

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void watch(int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) != 0)
        die("epoll_ctl");
}

static void spawn_worker(void)
{
    char *arguments[] = {"sh", "-c", "printf one; exit 3", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output[1], 1);
    if ((errno = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ)) != 0)
        die("posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
}

static void fork_worker(void)
{
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child > 0)
        return;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(output[1], 1);
    execl("/bin/sh", "sh", "-c", "printf two; exit 4", (char *)NULL);
    _exit(127);
}

static void reap(void)
{
    int status;
    pthread_mutex_lock(&mutex);
    while (waitpid(-1, &status, WNOHANG) > 0) {
        assert(WIFEXITED(status));
        statuses += WEXITSTATUS(status);
        ended++;
    }
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static bool handle_signals(void)
{
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGTERM)
            return false;
        reap();
    }
    assert(errno == EAGAIN);
    return true;
}

static void collect(void)
{
    ssize_t size = read(output[0], said + said_size, sizeof said - said_size);
    assert(size > 0);
    said_size += (size_t)size;
}

static void loop(void)
{
    struct epoll_event events[4];
    for (;;) {
        int count = epoll_wait(poller, events, 4, -1);
        if (count < 0 && errno != EINTR)
            die("epoll_wait");
        for (int i = 0; i < count; i++) {
            uint64_t times;
            if (events[i].data.fd == signals && !handle_signals())
                return;
            if (events[i].data.fd == output[0])
                collect();
            if (events[i].data.fd == timer && read(timer, &times, sizeof times) == sizeof times)
                ticks++;
        }
    }
}

static void *stop_when_done(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (ended < WORKERS)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    kill(getpid(), SIGTERM);
    return unused;
}

int main(void)
{
    sigset_t mine;
    pthread_t thread;
    struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    sigemptyset(&mine);
    sigaddset(&mine, SIGCHLD);
    sigaddset(&mine, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &mine, NULL);
    poller = epoll_create1(EPOLL_CLOEXEC);
    signals = signalfd(-1, &mine, SFD_NONBLOCK | SFD_CLOEXEC);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (poller < 0 || signals < 0 || timer < 0 || pipe2(output, O_CLOEXEC) != 0)
        die("descriptors");
    timerfd_settime(timer, 0, &soon, NULL);
    watch(signals);
    watch(timer);
    watch(output[0]);
    pthread_create(&thread, NULL, stop_when_done, NULL);
    spawn_worker();
    fork_worker();
    loop();
    pthread_join(thread, NULL);
    assert(ended == WORKERS && statuses == 3 + 4 && ticks <= 1);
    while (said_size < 6)
        collect();
    assert(memcmp(said, "onetwo", 6) == 0 || memcmp(said, "twoone", 6) == 0);
    return 0;
}
