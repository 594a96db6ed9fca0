// Results of functions of time, processes and random numbers where one outcome is possible; the
// same as with libc.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s random -n 3
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern int timespec_getres(struct timespec *time, int base);

static const struct timespec none = {0}, negative = {.tv_sec = -1}, wrong = {.tv_nsec = 1000000000};

static void fails(int result, int error)
{
    assert(result == -1 && errno == error);
    errno = 0;
}

static void clocks(void)
{
    struct timespec now, later, grain;
    struct timeval day;
    struct timeb old;
    struct tms ticks;
    assert(clock_gettime(CLOCK_REALTIME, &now) == 0);
    assert(gettimeofday(&day, NULL) == 0 && day.tv_sec >= now.tv_sec);
    assert(ftime(&old) == 0 && old.time >= now.tv_sec && old.millitm < 1000);
    assert(timespec_get(&later, TIME_UTC) == TIME_UTC && later.tv_sec >= now.tv_sec);
    assert(timespec_get(&later, 99) == 0);
    assert(timespec_getres(&grain, TIME_UTC) == TIME_UTC);
    assert(grain.tv_sec == 0 && grain.tv_nsec == 1);
    assert(timespec_getres(NULL, TIME_UTC) == TIME_UTC);
    assert(timespec_getres(&grain, 99) == 0);
    assert(clock_getres(CLOCK_MONOTONIC, &grain) == 0 && grain.tv_nsec == 1);
    assert(clock_getres(CLOCK_MONOTONIC, NULL) == 0);
    fails(clock_getres(99, &grain), EINVAL);
    fails(clock_gettime(99, &now), EINVAL);
    assert(time(NULL) >= now.tv_sec);
    assert(clock() >= 0 && times(&ticks) >= 0);
    struct rusage usage;
    assert(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_sec >= 0);
    fails(getrusage(99, &usage), EINVAL);
}

static void sleeps(void)
{
    assert(sleep(0) == 0 && usleep(1) == 0);
    assert(nanosleep(&none, NULL) == 0);
    fails(nanosleep(&negative, NULL), EINVAL);
    fails(nanosleep(&wrong, NULL), EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &none, NULL) == 0);
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &none, NULL) == 0);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL);
    assert(clock_nanosleep(99, 0, &none, NULL) == EINVAL);
    assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &none, NULL) == EINVAL);
}

static void identities(void)
{
    cpu_set_t set;
    unsigned processor;
    assert(getpid() == gettid() && getppid() != getpid());
    assert(getpgid(0) == getpgrp() && getpgid(getpid()) == getpgrp());
    fails(getpgid(-1), ESRCH);
    assert(getsid(0) == getsid(getpid()));
    assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0);
    assert(sched_setaffinity(gettid(), sizeof set, &set) == 0);
    fails(sched_getaffinity(0, 1, &set), EINVAL);
    assert(sched_getcpu() >= 0 && getcpu(&processor, NULL) == 0);
}

static void numbers(void)
{
    unsigned char bytes[300];
    srand48(5);
    long first = mrand48(), second = lrand48();
    srand48(5);
    assert(mrand48() == first && lrand48() == second);
    assert(first >= -(1l << 31) && first < 1l << 31 && second >= 0);
    srand(5);
    int number = rand();
    srand(5);
    assert(rand() == number && random() >= 0);
    assert(getrandom(bytes, 8, 0) == 8);
    fails((int)getrandom(bytes, 8, 0x100), EINVAL);
    assert(getentropy(bytes, 256) == 0);
    fails(getentropy(bytes, 257), EIO);
}

int main(void)
{
    clocks();
    sleeps();
    identities();
    numbers();
    return 0;
}
