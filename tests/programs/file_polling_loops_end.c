// Loops that ask again and again end: a thread that finds nothing twice in the same state waits for a change.
// modes: all
// run: -s dfs -- read
// expect: no finding
// expect: complete == true
// expect: cut == 0
// run: -s dfs -- poll
// expect: no finding
// expect: complete == true
// expect: cut == 0
// run: -s dfs -- select
// expect: no finding
// expect: complete == true
// expect: cut == 0
// run: -s dfs -- epoll
// expect: no finding
// expect: complete == true
// expect: cut == 0
// run: -s dfs -- write
// expect: no finding
// expect: complete == true
// expect: cut == 0
// run: -s dfs -- timeout
// expect: no finding
// expect: complete == true
// expect: cut == 0
// run: -s random -n 200 -- timeout
// expect: no finding
// expect: cut == 0
// run: -s dfs -- for-ever
// expect: finding livelock
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2], epoll;
static const char *way;
static struct pollfd file; /* not on the stack: each answer is a write, but nothing changes */

static int is_ready(void)
{
    if (strcmp(way, "poll") == 0 || strcmp(way, "timeout") == 0)
        return poll(&file, 1, way[0] == 't' ? 10 : 0);
    if (strcmp(way, "select") == 0) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(ends[0], &set);
        return select(ends[0] + 1, &set, NULL, NULL, &(struct timeval){0});
    }
    struct epoll_event event;
    return epoll_wait(epoll, &event, 1, 0);
}

static void *ask(void *unused)
{
    char byte;
    if (strcmp(way, "write") == 0) {
        while (write(ends[1], "y", 1) == -1)
            assert(errno == EAGAIN);
        return unused;
    }
    if (strcmp(way, "read") != 0 && strcmp(way, "for-ever") != 0)
        while (is_ready() == 0)
            ;
    while (read(ends[0], &byte, 1) == -1)
        assert(errno == EAGAIN);
    return unused;
}

int main(int count, char **arguments)
{
    static char page[65536];
    pthread_t thread;
    way = arguments[1];
    assert(pipe2(ends, O_NONBLOCK) == 0);
    file = (struct pollfd){.fd = ends[0], .events = POLLIN};
    epoll = epoll_create1(0);
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){.events = EPOLLIN}) == 0);
    if (strcmp(way, "write") == 0)
        assert(write(ends[1], page, sizeof page) == sizeof page);
    pthread_create(&thread, NULL, ask, NULL);
    if (strcmp(way, "write") == 0)
        assert(read(ends[0], page, sizeof page) == sizeof page);
    else if (strcmp(way, "for-ever") != 0)
        assert(write(ends[1], "x", 1) == 1);
    pthread_join(thread, NULL);
    return 0;
}
