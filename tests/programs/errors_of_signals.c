// Each error that POSIX defines for signals, clocks, sleeps and timers, where it can be provoked; as
// with libc. Signals are sent while they are blocked, to the only thread: one execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

void (*bsd_signal(int, void (*)(int)))(int);

enum { NOBODY = 1 << 23, NO_SIGNAL = 99 };
static const struct timespec wrong = {.tv_nsec = 1000000000}, zero;
static struct timespec time_now;
static sigset_t set;
static int caught;

static void fails(long result, int error)
{
    if (result != -1 || errno != error)
        fprintf(stderr, "expected %s, got %ld %s\n", strerrorname_np(error), result,
                strerrorname_np(errno));
    assert(result == -1 && errno == error);
    errno = 0;
}

static void returns(int result, int error)
{
    errno = result;
    fails(-1, error);
}

static void on_signal(int number)
{
    caught += number == SIGUSR1;
}

static void sending(void)
{
    union sigval value = {0};
    fails(kill(getpid(), NO_SIGNAL), EINVAL);
    fails(kill(NOBODY, 0), ESRCH);
    fails(killpg(getpgrp(), NO_SIGNAL), EINVAL);
    fails(killpg(NOBODY, 0), ESRCH);
    fails(raise(NO_SIGNAL), EINVAL);
    fails(gsignal(NO_SIGNAL), EINVAL);
    fails(sigqueue(getpid(), NO_SIGNAL, value), EINVAL);
    fails(sigqueue(NOBODY, 0, value), ESRCH);
    fails(tgkill(getpid(), NOBODY, 0), ESRCH);
    fails(tgkill(getpid(), getpid(), NO_SIGNAL), EINVAL);
    fails(tgkill(-1, getpid(), 0), EINVAL);
}

static void handlers(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    fails(sigaction(NO_SIGNAL, &action, NULL), EINVAL);
    fails(sigaction(SIGKILL, &action, NULL), EINVAL);
    fails((long)signal(NO_SIGNAL, on_signal), EINVAL);
    fails((long)signal(SIGKILL, on_signal), EINVAL);
    fails((long)ssignal(NO_SIGNAL, on_signal), EINVAL);
    fails((long)bsd_signal(NO_SIGNAL, on_signal), EINVAL);
    fails((long)sysv_signal(NO_SIGNAL, on_signal), EINVAL);
    fails(siginterrupt(NO_SIGNAL, 1), EINVAL);
    fails(sigprocmask(99, &set, NULL), EINVAL);
    fails(sighold(NO_SIGNAL), EINVAL);
    fails(sigrelse(NO_SIGNAL), EINVAL);
    fails(sigignore(NO_SIGNAL), EINVAL);
    fails(sigignore(SIGKILL), EINVAL);
    stack_t small = {.ss_size = 1, .ss_sp = &set}, odd = {.ss_flags = 99};
    fails(sigaltstack(&small, NULL), ENOMEM);
    fails(sigaltstack(&odd, NULL), EINVAL);
}

static void waiting(void)
{
    sigset_t open;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    fails(sigtimedwait(&set, NULL, &zero), EAGAIN);
    fails(sigtimedwait(&set, NULL, &wrong), EINVAL);
    assert(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL) == 0);
    sigaddset(&set, SIGUSR1);
    sigemptyset(&open);
    assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0 && raise(SIGUSR1) == 0);
    fails(sigsuspend(&open), EINTR); /* the handler runs there */
    assert(caught == 1 && sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
}

static void clocks(void)
{
    clockid_t clock;
    struct timespec *volatile none = NULL;
    fails(clock_gettime(NO_SIGNAL, &time_now), EINVAL);
    fails(clock_getres(NO_SIGNAL, &time_now), EINVAL);
    returns(clock_getcpuclockid(NOBODY, &clock), ESRCH);
    fails(getrusage(NO_SIGNAL, &(struct rusage){0}), EINVAL);
    fails(nanosleep(&wrong, NULL), EINVAL);
    fails(nanosleep(&(struct timespec){.tv_sec = -1}, NULL), EINVAL);
    fails(nanosleep(none, NULL), EFAULT);
    returns(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL), EINVAL);
    returns(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &zero, NULL), EINVAL);
    returns(clock_nanosleep(NO_SIGNAL, 0, &zero, NULL), EINVAL);
    returns(clock_nanosleep(CLOCK_MONOTONIC_RAW, 0, &zero, NULL), ENOTSUP);
}

static void timers(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = NO_SIGNAL};
    struct itimerspec late = {.it_value = {.tv_nsec = 1000000000}}, off = {0};
    struct itimerval wrong_interval = {.it_value = {.tv_usec = 1000000}}, none = {0};
    timer_t timer, gone;
    fails(timer_create(NO_SIGNAL, NULL, &timer), EINVAL);
    fails(timer_create(CLOCK_MONOTONIC, &event, &timer), EINVAL);
    assert(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0);
    fails(timer_settime(timer, 0, &late, NULL), EINVAL);
    assert(timer_settime(timer, 0, &off, NULL) == 0);
    gone = timer;
    assert(timer_delete(timer) == 0);
    fails(timer_settime(gone, 0, &off, NULL), EINVAL);
    fails(timer_gettime(gone, &off), EINVAL);
    fails(timer_getoverrun(gone), EINVAL);
    fails(timer_delete(gone), EINVAL);
    fails(setitimer(NO_SIGNAL, &none, NULL), EINVAL);
    fails(setitimer(ITIMER_REAL, &wrong_interval, NULL), EINVAL);
    fails(getitimer(NO_SIGNAL, &none), EINVAL);
}

int main(void)
{
    sending();
    handlers();
    waiting();
    clocks();
    timers();
    return 0;
}
