// A descriptor that is not closed is no block of the program's: a program has numbers of its files,
// and no pointers to them.
// build: gcc -O1
// build: clang -O1
// run: -s dfs --detect leak
// expect: no finding
// run: -s dfs -- wrong
// expect: finding assertion
// expect: silence never freed
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int pipes[2], sockets[2], event, timer, poller;

int main(int count, char **arguments)
{
    (void)arguments;
    if (pipe(pipes) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 1;
    event = eventfd(0, 0);
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    poller = epoll_create1(0);
    if (write(pipes[1], "x", 1) != 1 || write(sockets[0], "x", 1) != 1)
        return 1;
    DIR *folder = opendir("/proc/self");
    if (folder == NULL || readdir(folder) == NULL)
        return 1;
    assert(count == 1);
    return 0;
}
