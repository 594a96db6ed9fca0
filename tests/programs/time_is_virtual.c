// Every clock is virtual: it stands still until somebody looks, sleeps or times out, so that elapsed
// times are the same in every execution and an hour of sleep takes no time: a real one would not end within the
// seconds that a test may take.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s random -n 20
// expect: no finding
// expect: classes 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000l

static long on(clockid_t clock)
{
    struct timespec now;
    assert(clock_gettime(clock, &now) == 0);
    assert(now.tv_nsec >= 0 && now.tv_nsec < SECOND);
    return now.tv_sec * SECOND + now.tv_nsec;
}

static void all_clocks(void)
{
    static const clockid_t clocks[] = {
        CLOCK_REALTIME, CLOCK_MONOTONIC,        CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID,
        CLOCK_BOOTTIME, CLOCK_MONOTONIC_RAW,    CLOCK_REALTIME_COARSE,    CLOCK_MONOTONIC_COARSE,
        CLOCK_TAI,      CLOCK_REALTIME_ALARM,   CLOCK_BOOTTIME_ALARM};
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        long before = on(clocks[i]);
        assert(on(clocks[i]) - before == 1000); /* a look takes a microsecond */
        struct timespec least;
        assert(clock_getres(clocks[i], &least) == 0 && least.tv_sec == 0 && least.tv_nsec > 0);
        assert(clock_getres(clocks[i], NULL) == 0);
    }
    struct timespec unused;
    errno = 0;
    assert(clock_gettime(99, &unused) == -1 && errno == EINVAL);
    errno = 0;
    assert(clock_getres(99, &unused) == -1 && errno == EINVAL);
    assert(on(CLOCK_MONOTONIC) == on(CLOCK_BOOTTIME) - 1000);
}

static void other_ways_to_look(void)
{
    long date = on(CLOCK_REALTIME);
    assert(date == 1700000000 * SECOND + date % SECOND);
    struct timeval day;
    assert(gettimeofday(&day, NULL) == 0);
    assert(day.tv_sec * SECOND + day.tv_usec * 1000 == date + 1000);
    struct timespec got;
    assert(timespec_get(&got, TIME_UTC) == TIME_UTC && got.tv_nsec == date % SECOND + 2000);
    assert(timespec_get(&got, TIME_UTC + 100) == 0);
    time_t stored, seconds = time(&stored);
    assert(seconds == 1700000000 && stored == seconds && time(NULL) == seconds);
    assert(syscall(SYS_clock_gettime, CLOCK_REALTIME, &got) == 0);
    assert(got.tv_nsec == date % SECOND + 5000);
    assert(syscall(SYS_time, NULL) == seconds);
}

static void work_is_not_sleep(void)
{
    clock_t before = clock();
    sleep(10);
    assert(clock() - before == 1); /* one look */
    struct tms work;
    clock_t ticks = times(&work);
    sleep(10);
    assert(times(NULL) - ticks == 10 * sysconf(_SC_CLK_TCK));
    assert(work.tms_utime == 0 && work.tms_cutime == 0);
    struct rusage usage;
    assert(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_sec == 0);
    assert(usage.ru_utime.tv_usec > 0 && usage.ru_utime.tv_usec < 1000);
    errno = 0;
    assert(getrusage(77, &usage) == -1 && errno == EINVAL);
}

static void an_hour(void)
{
    long before = on(CLOCK_MONOTONIC), date = on(CLOCK_REALTIME);
    assert(sleep(1800) == 0);
    assert(usleep(900 * 1000000u) == 0);
    struct timespec rest = {.tv_sec = 899, .tv_nsec = 999999999}, end;
    assert(nanosleep(&rest, &rest) == 0);
    assert(on(CLOCK_MONOTONIC) - before == 3600 * SECOND - 1 + 2000);
    assert(on(CLOCK_REALTIME) - date == 3600 * SECOND - 1 + 2000);
    before = on(CLOCK_REALTIME);
    end = (struct timespec){.tv_sec = before / SECOND + 7};
    assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &end, NULL) == 0);
    assert(on(CLOCK_REALTIME) == end.tv_sec * SECOND + 1000);
    assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &end, NULL) == 0); /* over already */
    assert(on(CLOCK_REALTIME) == end.tv_sec * SECOND + 2000);
    rest = (struct timespec){.tv_sec = 3};
    assert(syscall(SYS_nanosleep, &rest, NULL) == 0);
    assert(on(CLOCK_REALTIME) == (end.tv_sec + 3) * SECOND + 3000);
}

static int sleep_error(clockid_t clock, time_t seconds, long nanoseconds)
{
    struct timespec time = {.tv_sec = seconds, .tv_nsec = nanoseconds};
    return clock_nanosleep(clock, 0, &time, NULL);
}

static void errors(void)
{
    long before = on(CLOCK_MONOTONIC);
    assert(sleep_error(CLOCK_MONOTONIC, 1, SECOND) == EINVAL);
    assert(sleep_error(CLOCK_MONOTONIC, 1, -1) == EINVAL);
    assert(sleep_error(CLOCK_MONOTONIC, -1, 0) == EINVAL);
    assert(sleep_error(99, 1, 0) == EINVAL);
    assert(sleep_error(CLOCK_THREAD_CPUTIME_ID, 1, 0) == EINVAL);
    assert(sleep_error(CLOCK_MONOTONIC_COARSE, 1, 0) == ENOTSUP);
    struct timespec wrong = {.tv_nsec = SECOND};
    errno = 0;
    assert(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
    errno = 0;
    assert(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &wrong, NULL) == -1);
    assert(errno == EINVAL);
    assert(on(CLOCK_MONOTONIC) == before + 1000);
}

static void for_ever(void)
{
    long before = on(CLOCK_MONOTONIC);
    struct timespec age = {.tv_sec = 0x7fffffffffffffff, .tv_nsec = 999999999};
    assert(nanosleep(&age, NULL) == 0);
    assert(on(CLOCK_MONOTONIC) > before && on(CLOCK_REALTIME) > before);
    assert(nanosleep(&age, NULL) == 0);
    assert(on(CLOCK_MONOTONIC) > before && on(CLOCK_PROCESS_CPUTIME_ID) < SECOND);
}

int main(void)
{
    all_clocks();
    other_ways_to_look();
    work_is_not_sleep();
    an_hour();
    errors();
    for_ever();
    return 0;
}
