// A thread that waits for a timer never waits for others: its step is possible at once and moves the
// clock. Between it and the main thread's write every order is possible, and an hour takes no time.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: wall_seconds < 20
// run: -s dfs -- disarmed
// expect: finding deadlock
// expect: output T1 waits: read from timerfd 3
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int timer, event;

static void *tick(void *unused)
{
    uint64_t count;
    struct pollfd files[2] = {{.fd = timer, .events = POLLIN}, {.fd = event, .events = POLLIN}};
    time_t start = time(NULL);
    assert(read(timer, &count, 8) == 8 && count == 1);
    assert(time(NULL) - start >= 3600);
    do { /* periodic: it comes again and again, until the event is there */
        assert(poll(files, 2, -1) >= 1);
        if (files[0].revents != 0)
            assert(read(timer, &count, 8) == 8 && count >= 1);
    } while (files[1].revents == 0);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    struct itimerspec hour = {.it_value.tv_sec = 3600, .it_interval.tv_sec = 60};
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    event = eventfd(0, 0);
    if (count == 1)
        assert(timerfd_settime(timer, 0, &hour, NULL) == 0);
    pthread_create(&thread, NULL, tick, NULL);
    assert(eventfd_write(event, 1) == 0);
    pthread_join(thread, NULL);
    return 0;
}
