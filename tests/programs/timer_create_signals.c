// POSIX timers: what the functions return, one that repeats until it was handled often enough, in
// the order of their times, with the value that was asked for.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { TICKS = 3 };
int ticks, last; /* not static: see on_tick */

static void on_tick(int number, siginfo_t *info, void *context)
{
    assert(info->si_code == SI_TIMER && number == SIGRTMIN && context != NULL);
    last = info->si_value.sival_int;
    ticks++;
}

static void returns(timer_t timer)
{
    struct itimerspec value = {.it_value.tv_sec = 5, .it_interval.tv_sec = 7}, old;
    timer_t none = (timer_t)12345;
    assert(timer_create(99, NULL, &none) == -1 && errno == EINVAL);
    struct sigevent wrong = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 99};
    assert(timer_create(CLOCK_REALTIME, &wrong, &none) == -1 && errno == EINVAL);
    value.it_value.tv_nsec = 1000000000;
    assert(timer_settime(timer, 0, &value, NULL) == -1 && errno == EINVAL);
    assert(timer_gettime(timer, &old) == 0);
    assert(old.it_value.tv_sec == 0 && old.it_value.tv_nsec == 0);
    assert(timer_getoverrun(timer) == 0);
}

static void silent(void)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    struct itimerspec value = {.it_value.tv_sec = 5, .it_interval.tv_sec = 7}, old;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    assert(timer_settime(timer, 0, &value, &old) == 0);
    assert(old.it_value.tv_sec == 0);
    assert(timer_gettime(timer, &old) == 0);
    assert(old.it_value.tv_sec >= 4 && old.it_interval.tv_sec == 7);
    assert(timer_delete(timer) == 0);
    assert(timer_gettime(timer, &old) == -1 && errno == EINVAL);
}

static void repeated(timer_t timer)
{
    sigset_t set, old;
    struct itimerspec value = {.it_value.tv_sec = 1, .it_interval.tv_sec = 2}, none = {0};
    struct timespec from, to;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, &old);
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert(timer_settime(timer, 0, &value, NULL) == 0);
    while (ticks < TICKS)
        sigsuspend(&old);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert(to.tv_sec - from.tv_sec >= 1 + 2 * (TICKS - 1));
    assert(timer_settime(timer, 0, &none, NULL) == 0);
    sigprocmask(SIG_SETMASK, &old, NULL);
    assert(ticks >= TICKS && last == 42);
}

int main(void)
{
    timer_t timer;
    struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGRTMIN,
                             .sigev_value.sival_int = 42};
    sigaction(SIGRTMIN, &action, NULL);
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    returns(timer);
    silent();
    repeated(timer);
    assert(timer_delete(timer) == 0);
    return 0;
}
