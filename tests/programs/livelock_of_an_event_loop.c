// A loop around epoll_wait, woken by a timerfd again and again, that never ends is a livelock, also where another
// thread has used files before and waits now. One that counts what woke it ends, and so does one that is told to.
// build: gcc -O1
// build: clang -O2
// run: --no-shrink -s dfs -- endless
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s random -n 2 --isolate fork --carrier kernel -- endless
// expect: finding livelock
// run: -s dfs -- counts
// expect: no finding
// expect: complete == true
// run: -s random -n 5 -- told
// expect: no finding
// expect: cut == 0
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { TICKS = 1500 };

static const char *way;
static int many, timer, event;
static uint64_t ticks;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void must(int right)
{
    if (!right)
        abort();
}

static void add(int file)
{
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = file};
    must(epoll_ctl(many, EPOLL_CTL_ADD, file, &wanted) == 0);
}

static void *serve(void *unused)
{
    uint64_t value;
    struct epoll_event found;
    while (ticks < TICKS) {
        must(epoll_wait(many, &found, 1, -1) == 1);
        must(read(found.data.fd, &value, sizeof value) == sizeof value);
        if (found.data.fd == event)
            break;
        ticks = is("counts") ? ticks + value : value;
    }
    return unused;
}

int main(int argc, char **argv)
{
    struct itimerspec often = {{0, 10000000}, {0, 10000000}};
    uint64_t one = 1;
    pthread_t thread;
    way = argc > 1 ? argv[1] : "endless";
    many = epoll_create1(0);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    event = eventfd(0, 0);
    add(timer);
    add(event);
    must(timerfd_settime(timer, 0, &often, NULL) == 0);
    pthread_create(&thread, NULL, serve, NULL);
    if (is("told")) {
        for (int i = 0; i < TICKS; i++)
            usleep(10000);
        must(write(event, &one, sizeof one) == sizeof one);
    }
    pthread_join(thread, NULL);
    return 0;
}
