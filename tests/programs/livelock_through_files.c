// Loops that never end and use a file of the program's own in each turn are livelocks: what is in such files
// is part of the state that they come back to.
//
// Of "stream" a round has 10 steps: each of the two threads locks the stream that it reads from, reads, locks the other
// stream twice (putc and fflush) and writes. The first lock and the steps of the other thread come in any order, which
// changes from round to round. What each thread does next is part of the state, so the state comes back after several rounds.
// modes: all first
// run: --no-shrink -s dfs -- pipe
// expect: finding livelock
// expect: findings[0].cycle == 4
// expect: output the last 4 steps repeat forever
// run: --no-shrink -s dfs -- pair
// expect: finding livelock
// expect: findings[0].cycle == 4
// run: --no-shrink -s dfs -- event
// expect: finding livelock
// expect: findings[0].cycle == 4
// run: --no-shrink -s dfs -- datagram
// expect: finding livelock
// expect: findings[0].cycle == 4
// run: --no-shrink -s dfs -- stream
// expect: finding livelock
// expect: findings[0].cycle >= 10
// run: --no-shrink -s dfs -- poll
// expect: finding livelock
// expect: findings[0].cycle == 1
// run: --no-shrink -s dfs -- epoll
// expect: finding livelock
// expect: findings[0].cycle == 1
// run: --no-shrink -s dfs -- edge
// expect: finding livelock
// expect: findings[0].cycle == 3
// run: --no-shrink -s dfs -- timer
// expect: finding livelock
// expect: findings[0].cycle == 1
// run: --no-shrink -s dfs -- set
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs -- asleep
// expect: finding livelock
// run: --no-shrink -s preempt -- pipe
// expect: finding livelock
// run: --no-shrink -s random -n 3 -- event
// expect: finding livelock
// run: --no-shrink -s pct -n 3 -- pair
// expect: finding livelock
// run: --no-shrink -s pos -n 3 -- datagram
// expect: finding livelock
// run: --no-shrink -s rare -n 3 -- timer
// expect: finding livelock
// run: --no-shrink -s dpor -- pipe
// expect: finding livelock
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int there[2], back[2]; /* where one reads what the other writes */
static FILE *in[2], *out[2];
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void must(int right)
{
    if (!right)
        abort();
}

static void make(void)
{
    if (is("pair") || is("datagram")) {
        int ends[2];
        must(socketpair(AF_UNIX, is("pair") ? SOCK_STREAM : SOCK_DGRAM, 0, ends) == 0);
        there[1] = back[0] = ends[0];
        there[0] = back[1] = ends[1];
    } else if (is("event")) {
        there[0] = there[1] = eventfd(0, 0);
        back[0] = back[1] = eventfd(0, 0);
    } else {
        must(pipe(there) == 0 && pipe(back) == 0);
    }
    in[0] = fdopen(back[0], "r");
    out[0] = fdopen(there[1], "w");
    in[1] = fdopen(there[0], "r");
    out[1] = fdopen(back[1], "w");
}

static uint64_t hand(int from, int to)
{
    uint64_t word;
    must(read(from, &word, sizeof word) == sizeof word);
    must(write(to, &word, sizeof word) == sizeof word);
    return word;
}

static int hand_character(int side)
{
    int got = getc(in[side]);
    must(putc(got, out[side]) == got && fflush(out[side]) == 0);
    return got;
}

static void *answer(void *unused)
{
    if (is("stream"))
        while (hand_character(1) != 'z')
            ;
    else
        while (hand(there[0], back[1]) != 7)
            ;
    return NULL;
}

static void hand_to_and_fro(void)
{
    pthread_t thread;
    uint64_t one = 1;
    pthread_create(&thread, NULL, answer, NULL);
    if (is("stream")) {
        must(putc('a', out[0]) == 'a' && fflush(out[0]) == 0);
        while (hand_character(0) != 'z')
            ;
    } else {
        must(write(there[1], &one, sizeof one) == sizeof one);
        while (hand(back[0], there[1]) != 7)
            ;
    }
    pthread_join(thread, NULL);
}

static void poll_for_ever(void)
{
    struct pollfd look = {.fd = there[0], .events = POLLIN};
    while (poll(&look, 1, 5) == 0)
        ;
}

static void epoll_for_ever(uint32_t flags)
{
    struct epoll_event event = {.events = EPOLLIN | flags}, found;
    char byte = 'x';
    int epoll = epoll_create1(0);
    must(epoll_ctl(epoll, EPOLL_CTL_ADD, there[0], &event) == 0);
    if (flags == 0)
        while (epoll_wait(epoll, &found, 1, 5) == 0)
            ;
    else
        do {
            must(write(there[1], &byte, 1) == 1 && epoll_wait(epoll, &found, 1, -1) == 1);
            must(read(there[0], &byte, 1) == 1);
        } while (byte == 'x');
}

static void tick_for_ever(void)
{
    struct itimerspec often = {.it_value.tv_nsec = 700000, .it_interval.tv_nsec = 900000};
    struct itimerspec once = {.it_value.tv_nsec = 700000};
    uint64_t times;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    must(timerfd_settime(timer, 0, &often, NULL) == 0);
    do {
        must(!is("set") || timerfd_settime(timer, 0, &once, NULL) == 0);
        must(read(timer, &times, sizeof times) == sizeof times);
    } while (times != 0);
}

static void look_now_and_then(void)
{
    char byte;
    must(fcntl(there[0], F_SETFL, O_NONBLOCK) == 0);
    while (read(there[0], &byte, 1) < 0 && errno == EAGAIN)
        usleep(300);
}

static void go_round(void)
{
    if (is("poll"))
        poll_for_ever();
    else if (is("epoll") || is("edge"))
        epoll_for_ever(is("edge") ? EPOLLET : 0);
    else if (is("timer") || is("set"))
        tick_for_ever();
    else if (is("asleep"))
        look_now_and_then();
    else
        hand_to_and_fro();
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "pipe";
    make();
    go_round();
    return 0;
}
