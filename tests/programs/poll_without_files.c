// poll and select without a descriptor are sleeps; with one that is ready they return at once, with
// one that is not, their timeout comes.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// expect: wall_seconds < 2
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000l

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static void without_files(void)
{
    long start = now();
    assert(poll(NULL, 0, 2500) == 0);
    assert(now() - start == 5 * SECOND / 2 + 1000);
    start = now();
    struct timeval left = {.tv_sec = 1, .tv_usec = 500000};
    assert(select(0, NULL, NULL, NULL, &left) == 0 && left.tv_sec == 0 && left.tv_usec == 0);
    assert(now() - start == 3 * SECOND / 2 + 1000);
    start = now();
    struct timespec time = {.tv_sec = 4, .tv_nsec = 1};
    assert(pselect(0, NULL, NULL, NULL, &time, NULL) == 0);
    assert(ppoll(NULL, 0, &time, NULL) == 0);
    assert(now() - start == 8 * SECOND + 2 + 1000);
    start = now();
    assert(poll(NULL, 0, 0) == 0 && now() - start == 1000);
}

static void with_files(void)
{
    int ends[2];
    assert(pipe(ends) == 0);
    struct pollfd file = {.fd = ends[0], .events = POLLIN};
    long start = now();
    assert(poll(&file, 1, 1000) == 0 && file.revents == 0);
    assert(now() - start == SECOND + 1000);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval left = {.tv_sec = 1};
    assert(select(ends[0] + 1, &set, NULL, NULL, &left) == 0 && !FD_ISSET(ends[0], &set));
    assert(write(ends[1], "x", 1) == 1);
    start = now();
    assert(poll(&file, 1, 1000) == 1 && file.revents == POLLIN);
    assert(poll(&file, 1, -1) == 1);
    FD_SET(ends[0], &set);
    left.tv_sec = 1;
    assert(select(ends[0] + 1, &set, NULL, NULL, &left) == 1 && FD_ISSET(ends[0], &set));
    assert(now() - start == 1000);
}

static void errors(void)
{
    struct timespec wrong = {.tv_nsec = SECOND};
    errno = 0;
    assert(ppoll(NULL, 0, &wrong, NULL) == -1 && errno == EINVAL);
    errno = 0;
    assert(pselect(0, NULL, NULL, NULL, &wrong, NULL) == -1 && errno == EINVAL);
    struct timeval past = {.tv_sec = -1};
    errno = 0;
    assert(select(0, NULL, NULL, NULL, &past) == -1 && errno == EINVAL);
    errno = 0;
    past.tv_sec = 0;
    assert(select(-1, NULL, NULL, NULL, &past) == -1 && errno == EINVAL);
}

int main(void)
{
    without_files();
    with_files();
    errors();
    return 0;
}
