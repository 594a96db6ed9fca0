// EMFILE: no descriptor is left, for each function that makes one; as without Bohr.
// run: -s dfs
// expect: no finding
// expect: executions 1
// expect: isolate == fork
// run: -s dfs --isolate fork
// expect: no finding
// run: -s dfs --isolate exec
// expect: no finding
// run: -s dfs --isolate fork --carrier kernel
// expect: no finding
// run: -s dfs --isolate exec --carrier kernel
// expect: no finding
// run: -s random -n 3
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

static void fails(long result, int error)
{
    if (result != -1 || errno != error)
        fprintf(stderr, "expected %s, got %ld %s\n", strerrorname_np(error), result,
                strerrorname_np(errno));
    assert(result == -1 && errno == error);
    errno = 0;
}

int main(void)
{
    int ends[2], last = 0;
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0bohr-errors-of-limits"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(listener, (void *)&name, sizeof name) == 0 && listen(listener, 1) == 0);
    assert(connect(client, (void *)&name, sizeof name) == 0);
    assert(setrlimit(RLIMIT_NOFILE, &(struct rlimit){40, 40}) == 0);
    for (int made = 0; made >= 0; made = dup(client))
        last = made;
    errno = 0;
    fails(dup(client), EMFILE);
    fails(fcntl(client, F_DUPFD, 0), EMFILE);
    fails(fcntl(client, F_DUPFD_CLOEXEC, 0), EMFILE);
    fails(fcntl(client, F_DUPFD, 40), EINVAL);
    fails(dup2(client, 40), EBADF);
    fails(dup3(client, 40, 0), EBADF);
    fails(pipe(ends), EMFILE);
    fails(pipe2(ends, 0), EMFILE);
    fails(socket(AF_UNIX, SOCK_STREAM, 0), EMFILE);
    fails(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), EMFILE);
    fails(accept(listener, NULL, NULL), EMFILE);
    fails(accept4(listener, NULL, NULL, 0), EMFILE);
    fails(eventfd(0, 0), EMFILE);
    fails(signalfd(-1, &(sigset_t){0}, 0), EMFILE);
    fails(timerfd_create(CLOCK_MONOTONIC, 0), EMFILE);
    fails(epoll_create(1), EMFILE);
    fails(epoll_create1(0), EMFILE);
    fails(open("/dev/null", O_RDONLY), EMFILE);
    close(last); /* one is free: not enough for two */
    fails(pipe(ends), EMFILE);
    fails(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), EMFILE);
    assert(accept(listener, NULL, NULL) == last);
    closefrom(3); /* a child cannot share what was open here */
    while (dup(0) >= 0)
        ;
    assert(popen("true", "r") == NULL && errno == EMFILE);
    return 0;
}
