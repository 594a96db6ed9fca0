// Loops that never end, and send signals, handle them or set timers in each turn, are livelocks: what is pending,
// blocked and set, and how far off expiries are, is part of the state. Those that end are none: by what handlers count,
// by a number that is handed from one signal to the next, or by a timer; also by one that kills the program.
// modes: all
// run: --no-shrink -s dfs -- watchdog
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs -- all
// expect: finding livelock
// expect: output repeat forever
// run: --no-shrink -s random -n 2 -- all
// expect: finding livelock
// run: --no-shrink -s preempt -b 0 -- other
// expect: finding livelock
// run: -s dfs -- counted
// expect: no finding
// expect: complete == true
// run: -s dfs -- handed
// expect: no finding
// expect: complete == true
// run: -s dfs -- timer
// expect: no finding
// expect: complete == true
// run: --no-shrink -s dfs -- killed
// expect: finding crash
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 1000 };

static const char *way;
static volatile sig_atomic_t handled, counted, stop;
static timer_t timer;
static sigset_t waited;
static pthread_t other;

static void must(int right)
{
    if (!right)
        abort();
}

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void handle(int number)
{
    handled = 1;
}

static void count(int number)
{
    counted++;
}

static __attribute__((noinline)) void send_to_itself(void)
{
    sigset_t before;
    siginfo_t info;
    union sigval value = {.sival_int = 7};
    must(raise(SIGUSR1) == 0 && pthread_kill(pthread_self(), SIGUSR1) == 0);
    must(pthread_sigmask(SIG_BLOCK, &waited, &before) == 0 && raise(SIGUSR2) == 0);
    must(sigqueue(getpid(), SIGRTMIN, value) == 0);
    must(sigwaitinfo(&waited, &info) == SIGUSR2 && sigwaitinfo(&waited, &info) == SIGRTMIN);
    must(info.si_value.sival_int == 7 && pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
    must(signal(SIGUSR2, SIG_IGN) == handle && signal(SIGUSR2, handle) == SIG_IGN);
}

static __attribute__((noinline)) void wait_for_timers(void)
{
    struct itimerspec soon = {.it_value.tv_nsec = 1000};
    struct itimerval once = {.it_value.tv_usec = 10};
    struct timespec little = {.tv_nsec = 100};
    int number;
    must(timer_settime(timer, 0, &soon, NULL) == 0 && sigwait(&waited, &number) == 0 && number == SIGALRM);
    must(setitimer(ITIMER_REAL, &once, NULL) == 0 && sigwait(&waited, &number) == 0);
    must(sigtimedwait(&waited, NULL, &little) < 0);
}

static void *pause_for_ever(void *unused)
{
    sigset_t none;
    sigemptyset(&none);
    while (!stop)
        sigsuspend(&none);
    return NULL;
}

static __attribute__((noinline)) int hand_on(void)
{
    siginfo_t info;
    union sigval value = {0};
    must(sigwaitinfo(&waited, &info) == SIGRTMIN);
    value.sival_int = info.si_value.sival_int + 1;
    int goes_on = value.sival_int < TURNS;
    must(sigqueue(getpid(), SIGRTMIN, value) == 0);
    memset(&info, 0, sizeof info);
    value.sival_int = 0;
    return goes_on;
}

static void go_round(void)
{
    union sigval zero = {0};
    if (is("all"))
        while (!stop) {
            send_to_itself();
            pthread_sigmask(SIG_BLOCK, &waited, NULL);
            wait_for_timers();
            pthread_sigmask(SIG_UNBLOCK, &waited, NULL);
        }
    else if (is("watchdog"))
        while (!stop) {
            alarm(10);
            usleep(100);
        }
    else if (is("other"))
        while (!stop) {
            must(pthread_kill(other, SIGUSR1) == 0);
            sched_yield();
        }
    else if (is("counted"))
        while (counted < TURNS)
            must(raise(SIGUSR1) == 0);
    else if (is("handed")) {
        must(sigqueue(getpid(), SIGRTMIN, zero) == 0);
        while (hand_on())
            ;
    } else {
        alarm(2);
        while (!handled)
            usleep(1000);
    }
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "watchdog";
    sigemptyset(&waited);
    sigaddset(&waited, SIGUSR2);
    sigaddset(&waited, SIGALRM);
    sigaddset(&waited, SIGRTMIN);
    signal(SIGUSR1, is("counted") ? count : handle);
    signal(SIGUSR2, handle);
    if (is("timer") || is("all"))
        signal(SIGALRM, handle);
    if (is("handed"))
        pthread_sigmask(SIG_BLOCK, &waited, NULL);
    must(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0);
    if (is("other"))
        pthread_create(&other, NULL, pause_for_ever, NULL);
    go_round();
    return 0;
}
