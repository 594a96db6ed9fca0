// Loops that open and close files of the program's own in each iteration, and never end, may be livelocks: each file has
// memory of its own. Those that end are none: by a number that is handed from one file to the next, by how many are open,
// or by somebody who answers at last.
// modes: all
// run: -s dfs --steps 2000 -- all
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s preempt -b 0 --steps 2000 -- client
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs -- handed
// expect: no finding
// expect: complete == true
// run: -s dfs -- queued
// expect: no finding
// expect: complete == true
// run: -s dfs -- kept
// expect: no finding
// expect: complete == true
// run: -s random -n 3 -- answered
// expect: no finding
// expect: cut == 0
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { TURNS = 600 };

static const char *way;
static int event;

static void must(int right)
{
    if (!right)
        abort();
}

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static struct sockaddr_in address(uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static __attribute__((noinline)) void use_pipes(void)
{
    int ends[2], pair[2];
    char byte;
    must(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    int copy = dup(ends[1]);
    must(write(copy, "x", 1) == 1 && read(ends[0], &byte, 1) == 1);
    must(write(pair[0], "y", 1) == 1 && dup2(pair[1], ends[0]) == ends[0]);
    must(close(copy) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
    must(close(pair[0]) == 0 && close(pair[1]) == 0);
}

static __attribute__((noinline)) void use_events(void)
{
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLET}, found;
    struct itimerspec soon = {.it_value.tv_nsec = 1000};
    int many = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0), counter = eventfd(1, 0);
    must(epoll_ctl(many, EPOLL_CTL_ADD, timer, &wanted) == 0);
    must(epoll_ctl(many, EPOLL_CTL_ADD, counter, &wanted) == 0 && epoll_wait(many, &found, 1, -1) == 1);
    must(timerfd_settime(timer, 0, &soon, NULL) == 0 && close(counter) == 0);
    must(epoll_wait(many, &found, 1, -1) == 1 && close(timer) == 0 && close(many) == 0);
}

static int connect_once(uint16_t port)
{
    struct sockaddr_in to = address(port);
    int file = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(file, (struct sockaddr *)&to, sizeof to) == 0)
        return file;
    must(close(file) == 0);
    return -1;
}

static int serve(uint16_t port)
{
    struct sockaddr_in own = address(port);
    int file = socket(AF_INET, SOCK_STREAM, 0);
    must(bind(file, (struct sockaddr *)&own, sizeof own) == 0 && listen(file, 4) == 0);
    return file;
}

static __attribute__((noinline)) void use_connections(void)
{
    char byte;
    must(connect_once(4001) < 0);
    int listener = serve(4000), client = connect_once(4000), end = accept(listener, NULL, NULL);
    int waits = connect_once(4000);
    must(write(client, "x", 1) == 1 && read(end, &byte, 1) == 1 && close(end) == 0);
    must(close(listener) == 0 && close(waits) == 0 && close(client) == 0);
}

static __attribute__((noinline)) int hand_on(int ends[2])
{
    int next[2];
    uint16_t number;
    must(pipe(next) == 0 && read(ends[0], &number, sizeof number) == sizeof number);
    int goes_on = ++number < TURNS;
    must(write(next[1], &number, sizeof number) == sizeof number);
    must(close(ends[0]) == 0 && close(ends[1]) == 0);
    must(dup2(next[0], ends[0]) == ends[0] && dup2(next[1], ends[1]) == ends[1]);
    must(close(next[0]) == 0 && close(next[1]) == 0);
    number = 0;
    return goes_on;
}

/* A connection that no thread accepts stays with the listening socket. */
static __attribute__((noinline)) int queue_one(int listener)
{
    int client = connect_once(4000);
    if (client < 0)
        return 0;
    must(close(client) == 0);
    must(fcntl(listener, F_GETFL) >= 0);
    return 1;
}

static int is_full(int listener)
{
    int count = 0;
    must(fcntl(listener, F_SETFL, O_NONBLOCK) == 0);
    while (accept(listener, NULL, NULL) >= 0)
        count++;
    return count == TURNS;
}

static __attribute__((noinline)) int keep_one(void)
{
    return eventfd(0, 0) < TURNS;
}

static void *go_round(void *unused)
{
    int ends[2];
    uint16_t number = 0;
    if (is("all"))
        for (;;) {
            use_pipes();
            use_events();
            use_connections();
            if (event < 0)
                break;
        }
    else if (is("client") || is("answered"))
        while (connect_once(4001) < 0)
            usleep(100);
    else if (is("handed")) {
        must(pipe(ends) == 0 && write(ends[1], &number, sizeof number) == sizeof number);
        while (hand_on(ends))
            ;
    } else if (is("queued")) {
        struct sockaddr_in own = address(4000);
        int listener = socket(AF_INET, SOCK_STREAM, 0);
        must(bind(listener, (struct sockaddr *)&own, sizeof own) == 0 && listen(listener, 2 * TURNS) == 0);
        for (int i = 0; i < TURNS; i++)
            must(queue_one(listener));
        must(is_full(listener));
    } else {
        while (keep_one())
            ;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "all";
    event = eventfd(0, 0);
    pthread_create(&thread, NULL, go_round, NULL);
    if (is("answered")) {
        for (int i = 0; i < TURNS; i++)
            usleep(100);
        serve(4001);
    }
    pthread_join(thread, NULL);
    return 0;
}
