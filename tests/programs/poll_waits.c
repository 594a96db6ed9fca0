// poll, select and epoll_wait without a timeout wait until one of several files is ready; with one, the
// timeout can come first, whatever the others do. A file that is closed meanwhile is looked at still, or
// is gone.
// modes: all
// run: -s dfs -- poll
// expect: no finding
// expect: complete == true
// run: -s dfs -- select
// expect: no finding
// expect: complete == true
// run: -s dfs -- epoll
// expect: no finding
// expect: complete == true
// run: --races off -s dfs -- closed
// expect: finding deadlock
// expect: output T1 waits: poll eventfd 3
// run: -s dfs -- timeout
// expect: finding assertion
// expect: output it came in time
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

static int events[2], written[2], taken[2];
static const char *way;

static int wait_select(void)
{
    fd_set set;
    FD_ZERO(&set);
    for (int i = 0; i < 2; i++)
        FD_SET(events[i], &set);
    assert(select(events[1] + 1, &set, NULL, NULL, NULL) > 0);
    return FD_ISSET(events[0], &set) ? 0 : 1;
}

static int wait_epoll(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    for (int i = 0; i < 2; i++) {
        event.data.u32 = (uint32_t)i;
        assert(epoll_ctl(epoll, EPOLL_CTL_ADD, events[i], &event) == 0);
    }
    assert(epoll_wait(epoll, &event, 1, -1) == 1);
    close(epoll);
    return (int)event.data.u32;
}

static int wait_poll(int milliseconds)
{
    struct pollfd files[2] = {{.fd = events[0], .events = POLLIN},
                              {.fd = events[1], .events = POLLIN}};
    int ready = poll(files, 2, milliseconds);
    assert(ready > 0 && "it came in time");
    return files[0].revents != 0 ? 0 : 1;
}

static void *work(void *unused)
{
    uint64_t value;
    for (int i = 0; i < 2; i++) {
        int which = strcmp(way, "select") == 0  ? wait_select()
                    : strcmp(way, "epoll") == 0 ? wait_epoll()
                                                : wait_poll(way[0] == 't' ? 1000 : -1);
        if (way[0] == 'c')
            return unused;
        assert(written[which] == 1);
        assert(read(events[which], &value, 8) == 8);
        taken[which]++;
    }
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    way = arguments[1];
    for (int i = 0; i < 2; i++)
        events[i] = eventfd(0, 0);
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; i < 2; i++) {
        if (way[0] == 'c') {
            close(events[i]);
            continue;
        }
        written[i] = 1;
        assert(eventfd_write(events[i], 1) == 0);
    }
    pthread_join(thread, NULL);
    assert(way[0] == 'c' || (taken[0] == 1 && taken[1] == 1));
    return 0;
}
