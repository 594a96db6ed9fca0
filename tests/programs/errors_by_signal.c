// EINTR: a handler that was not installed with SA_RESTART ends a call that waits. Main sends the signal
// to a thread in its call and then lets the call go on: it is interrupted or not, and with `never` it is
// found that it can be. As with libc.
// modes: all preload
// run: -s dfs -- read
// expect: no finding
// expect: complete == true
// run: --always stop -s dfs -- read never
// expect: finding assertion
// run: --always stop -s dfs -- readv never
// expect: finding assertion
// run: --always stop -s dfs -- write never
// expect: finding assertion
// run: --always stop -s dfs -- writev never
// expect: finding assertion
// run: --always stop -s dfs -- dprintf never
// expect: finding assertion
// run: --always stop -s dfs -- recv never
// expect: finding assertion
// run: --always stop -s dfs -- recvfrom never
// expect: finding assertion
// run: --always stop -s dfs -- recvmsg never
// expect: finding assertion
// run: --always stop -s dfs -- send never
// expect: finding assertion
// run: --always stop -s dfs -- sendto never
// expect: finding assertion
// run: --always stop -s dfs -- sendmsg never
// expect: finding assertion
// run: --always stop -s dfs -- accept never
// expect: finding assertion
// run: --always stop -s dfs -- accept4 never
// expect: finding assertion
// run: --always stop -s dfs -- connect never
// expect: finding assertion
// run: --always stop -s dfs -- poll never
// expect: finding assertion
// run: --always stop -s dfs -- ppoll never
// expect: finding assertion
// run: --always stop -s dfs -- select never
// expect: finding assertion
// run: --always stop -s dfs -- pselect never
// expect: finding assertion
// run: --always stop -s dfs -- epoll_wait never
// expect: finding assertion
// run: --always stop -s dfs -- epoll_pwait never
// expect: finding assertion
// run: --always stop -s dfs -- epoll_pwait2 never
// expect: finding assertion
// run: --always stop -s dfs -- eventfd_read never
// expect: finding assertion
// run: --always stop -s dfs -- eventfd_write never
// expect: finding assertion
// run: --always stop -s dfs -- sem_wait never
// expect: finding assertion
// run: --always stop -s dfs -- sem_timedwait never
// expect: finding assertion
// run: --always stop -s dfs -- sem_clockwait never
// expect: finding assertion
// run: --always stop -s dfs -- nanosleep never
// expect: finding assertion
// run: --always stop -s dfs -- clock_nanosleep never
// expect: finding assertion
// run: --always stop -s dfs -- usleep never
// expect: finding assertion
// run: --always stop -s dfs -- thrd_sleep never
// expect: finding assertion
// run: --always stop -s dfs -- sigwaitinfo never
// expect: finding assertion
// run: --always stop -s dfs -- sigtimedwait never
// expect: finding assertion
// run: --always stop -s dfs -- pause never
// expect: finding assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static char bytes[1 << 16], more[1 << 16];
static struct iovec part = {bytes, 1};
static struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
static struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0bohr-errors-by-signal"};
static const struct timespec second = {.tv_sec = 1};
static struct timespec date, moment;
static int ends[2], pair[2], listener, client, events, set;
static struct epoll_event event = {.events = EPOLLIN};
static struct pollfd one;
static fd_set files;
static eventfd_t count;
static sem_t semaphore, over;
static sigset_t other;
static const char *way;
static int interrupted;

static void on_signal(int number)
{
}

static int is(const char *call)
{
    return strcmp(way, call) == 0;
}

static long call(void)
{
    if (is("read")) return read(ends[0], bytes, 1); /* EINTR */
    if (is("readv")) return readv(ends[0], &part, 1); /* EINTR */
    if (is("write")) return write(ends[1], bytes, 1); /* EINTR */
    if (is("writev")) return writev(ends[1], &part, 1); /* EINTR */
    if (is("dprintf")) return dprintf(ends[1], "x"); /* EINTR */
    if (is("recv")) return recv(pair[0], bytes, 1, 0); /* EINTR */
    if (is("recvfrom")) return recvfrom(pair[0], bytes, 1, 0, NULL, NULL); /* EINTR */
    if (is("recvmsg")) return recvmsg(pair[0], &message, 0); /* EINTR */
    if (is("send")) return send(pair[1], bytes, 1, 0); /* EINTR */
    if (is("sendto")) return sendto(pair[1], bytes, 1, 0, NULL, 0); /* EINTR */
    if (is("sendmsg")) return sendmsg(pair[1], &message, 0); /* EINTR */
    if (is("accept")) return accept(listener, NULL, NULL); /* EINTR */
    if (is("accept4")) return accept4(listener, NULL, NULL, 0); /* EINTR */
    if (is("connect")) return connect(client, (void *)&name, sizeof name); /* EINTR */
    if (is("poll")) return poll(&one, 1, -1); /* EINTR */
    if (is("ppoll")) return ppoll(&one, 1, NULL, NULL); /* EINTR */
    if (is("select")) return select(ends[0] + 1, &files, NULL, NULL, NULL); /* EINTR */
    if (is("pselect")) return pselect(ends[0] + 1, &files, NULL, NULL, NULL, NULL); /* EINTR */
    if (is("epoll_wait")) return epoll_wait(set, &event, 1, -1); /* EINTR */
    if (is("epoll_pwait")) return epoll_pwait(set, &event, 1, -1, NULL); /* EINTR */
    if (is("epoll_pwait2")) return epoll_pwait2(set, &event, 1, NULL, NULL); /* EINTR */
    if (is("eventfd_read")) return eventfd_read(events, &count); /* EINTR */
    if (is("eventfd_write")) return eventfd_write(events, 1); /* EINTR */
    if (is("sem_wait")) return sem_wait(&semaphore); /* EINTR */
    if (is("sem_timedwait")) return sem_timedwait(&semaphore, &date); /* EINTR */
    if (is("sem_clockwait")) return sem_clockwait(&semaphore, CLOCK_MONOTONIC, &moment); /* EINTR */
    if (is("nanosleep")) return nanosleep(&second, NULL); /* EINTR */
    if (is("usleep")) return usleep(999999); /* EINTR */
    if (is("clock_nanosleep")) { /* EINTR */
        errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
        return errno == 0 ? 0 : -1;
    }
    if (is("thrd_sleep")) { /* it does not say EINTR, but returns -1 */
        errno = EINTR;
        return thrd_sleep(&second, NULL);
    }
    if (is("pause")) return pause(); /* EINTR */
    if (is("sigwaitinfo")) return sigwaitinfo(&other, NULL); /* EINTR */
    assert(is("sigtimedwait"));
    return sigtimedwait(&other, NULL, &second); /* EINTR */
}

static void *work(void *unused)
{
    errno = 0;
    if (call() == -1 && errno == EINTR)
        interrupted = 1;
    sem_post(&over);
    return unused;
}

/* Makes the event that the call waits for: sleeps wait for nothing but the time. */
static void let_go(pthread_t thread)
{
    if (is("pause")) { /* the first may have come before */
        while (sem_trywait(&over) != 0) {
            pthread_kill(thread, SIGUSR1);
            sched_yield();
        }
    } else if (is("connect")) {
        assert(accept(listener, NULL, NULL) >= 0);
    } else if (is("accept") || is("accept4")) {
        assert(connect(client, (void *)&name, sizeof name) == 0);
    } else if (is("write") || is("writev") || is("dprintf")) {
        assert(read(ends[0], more, sizeof more) == sizeof more);
    } else if (is("send") || is("sendto") || is("sendmsg")) {
        while (recv(pair[0], more, sizeof more, MSG_DONTWAIT) > 0)
            ;
    } else if (is("eventfd_write")) {
        assert(eventfd_read(events, &(eventfd_t){0}) == 0);
    } else if (strstr(way, "sem_") != NULL) {
        assert(sem_post(&semaphore) == 0);
    } else if (strstr(way, "sig") != NULL) {
        assert(pthread_kill(thread, SIGUSR2) == 0);
    } else {
        assert(write(ends[1], "x", 1) == 1 && send(pair[1], "x", 1, 0) == 1);
        assert(eventfd_write(events, 1) == 0);
    }
}

static void prepare(void)
{
    sigemptyset(&other);
    sigaddset(&other, SIGUSR2);
    assert(pthread_sigmask(SIG_BLOCK, &other, NULL) == 0);
    assert(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL) == 0);
    assert(clock_gettime(CLOCK_REALTIME, &date) == 0);
    assert(clock_gettime(CLOCK_MONOTONIC, &moment) == 0);
    date.tv_sec += 3600;
    moment.tv_sec += 3600;
    assert(sem_init(&semaphore, 0, 0) == 0 && sem_init(&over, 0, 0) == 0);
    assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(listener, (void *)&name, sizeof name) == 0 && listen(listener, 0) == 0);
    events = eventfd(0, 0);
    set = epoll_create1(0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
    one = (struct pollfd){.fd = ends[0], .events = POLLIN};
    FD_SET(ends[0], &files);
    if (is("connect")) {
        int first = socket(AF_UNIX, SOCK_STREAM, 0);
        assert(connect(first, (void *)&name, sizeof name) == 0); /* the queue is full */
    } else if (is("write") || is("writev") || is("dprintf")) {
        assert(write(ends[1], bytes, sizeof bytes) == sizeof bytes);
    } else if (is("send") || is("sendto") || is("sendmsg")) {
        while (send(pair[1], bytes, sizeof bytes, MSG_DONTWAIT) > 0)
            ;
    } else if (is("eventfd_write")) {
        assert(eventfd_write(events, ~0ull - 1) == 0);
    }
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "read";
    prepare();
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    if (argc < 3)
        sched_yield();
    assert(pthread_kill(thread, SIGUSR1) == 0);
    let_go(thread);
    assert(pthread_join(thread, NULL) == 0);
    assert(argc < 3 || !interrupted);
    return 0;
}
