// A thread that waits at a cancellation point is cancelled there, and its cleanup handler runs. It
// comes to the point as part of its creation and cannot go on; then main's cancel, the cancelled
// thread's end and main's join follow each other: one execution. Where the point can be passed as
// well (sleep, timed waits), there are those in which it is passed before the cancel, too: two.
// modes: all preload
// run: -s dfs -- sem
// expect: no finding
// expect: executions 1
// run: -s dfs -- join
// expect: no finding
// expect: executions 1
// run: -s dfs -- sigwait
// expect: no finding
// expect: executions 1
// run: -s dfs -- sleep
// expect: no finding
// expect: executions 2
// run: -s dfs -- nanosleep
// expect: no finding
// expect: executions 2
// run: -s dfs -- semtimed
// expect: no finding
// expect: executions 2
// run: -s dfs -- poll
// expect: no finding
// expect: executions 2
// run: -s dfs -- read
// expect: no finding
// expect: executions 1
// run: -s dfs -- write
// expect: no finding
// expect: executions 1
// run: -s dfs -- recv
// expect: no finding
// expect: executions 1
// run: -s dfs -- send
// expect: no finding
// expect: executions 1
// run: -s dfs -- accept
// expect: no finding
// expect: executions 1
// run: -s dfs -- connect
// expect: no finding
// expect: executions 1
// run: -s dfs -- poll-file
// expect: no finding
// expect: executions 1
// run: -s dfs -- select
// expect: no finding
// expect: executions 1
// run: -s dfs -- epoll
// expect: no finding
// expect: executions 1
// run: -s dfs -- sigwait-one
// expect: no finding
// expect: executions 1
// Where there are steps before the wait, the cancel can come before each of them, too. To pause, to open a
// pipe with a name and to wait for a child is one such step (the child has ended); to wait on a condition variable are two,
// lock and release; to call system are two, to start the child and to wait for it.
// run: -s dfs -- pause
// expect: no finding
// expect: executions 2
// run: -s dfs -- fifo
// expect: no finding
// expect: executions 2
// run: -s dfs -- waitpid
// expect: no finding
// expect: executions 2
// run: -s dfs -- cond
// expect: no finding
// expect: executions 3
// run: -s dfs -- system
// expect: no finding
// expect: executions 3
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *point;
static sem_t semaphore;
static pthread_t first;
static int cleaned, passed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ends[2] = {-1, -1}, other = -1, client = -1, child;
static char byte[1], path[] = "/tmp/bohr-cancel-XXXXXX";

static void clean(void *unused)
{
    cleaned++;
}

static int is(const char *name)
{
    return strcmp(point, name) == 0;
}

static void fill(int end)
{
    static char bytes[4096];
    fcntl(end, F_SETFL, O_NONBLOCK);
    while (write(end, bytes, sizeof bytes) > 0)
        continue;
    fcntl(end, F_SETFL, 0);
}

/* Makes the objects that the thread is going to wait for. */
static void prepare(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (is("read") || is("poll-file") || is("select") || is("epoll") || is("write"))
        assert(pipe(ends) == 0);
    else if (is("recv") || is("send"))
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    if (is("write") || is("send"))
        fill(ends[1]);
    if (is("epoll")) {
        other = epoll_create1(0);
        assert(epoll_ctl(other, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){EPOLLIN}) == 0);
    }
    if (is("accept") || is("connect")) {
        other = socket(AF_UNIX, SOCK_STREAM, 0);
        ends[0] = socket(AF_UNIX, SOCK_STREAM, 0);
        assert(bind(other, (void *)&address, sizeof(sa_family_t)) == 0 && listen(other, 0) == 0);
    }
    if (is("connect")) { /* one is accepted by nobody, and then there is no room */
        socklen_t size = sizeof address;
        client = socket(AF_UNIX, SOCK_STREAM, 0);
        assert(getsockname(other, (void *)&address, &size) == 0);
        assert(connect(client, (void *)&address, size) == 0);
    }
    if (is("fifo")) {
        assert(mkdtemp(path) != NULL && chdir(path) == 0);
        assert(mkfifo("pipe", 0600) == 0);
    }
    if (is("waitpid") && (child = fork()) == 0)
        _exit(0);
}

static void connect_there(void)
{
    struct sockaddr_un address;
    socklen_t size = sizeof address;
    getsockname(other, (void *)&address, &size);
    connect(ends[0], (void *)&address, size);
}

static void wait_with_mutex(void)
{
    pthread_mutex_lock(&mutex);
    while (1)
        pthread_cond_wait(&cond, &mutex);
}

static void wait_for_file(void)
{
    fd_set set;
    FD_ZERO(&set);
    if (is("read"))
        assert(read(ends[0], byte, 1) < 0);
    else if (is("write"))
        assert(write(ends[1], byte, 1) < 0);
    else if (is("recv"))
        recv(ends[0], byte, 1, 0);
    else if (is("send"))
        send(ends[1], byte, 1, 0);
    else if (is("accept"))
        accept(other, NULL, NULL);
    else if (is("connect"))
        connect_there();
    else if (is("poll-file"))
        poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1);
    else if (is("select")) {
        FD_SET(ends[0], &set);
        select(ends[0] + 1, &set, NULL, NULL, NULL);
    } else if (is("epoll"))
        epoll_wait(other, &(struct epoll_event){0}, 1, -1);
    else if (is("fifo"))
        open("pipe", O_RDONLY);
}

static void wait_there(void)
{
    struct timespec second = {.tv_sec = 1};
    sigset_t set;
    int number;
    sigemptyset(&set);
    wait_for_file();
    if (is("pause"))
        pause();
    else if (is("sigwait-one"))
        sigwait(&set, &number);
    else if (is("cond"))
        wait_with_mutex();
    else if (is("waitpid"))
        waitpid(child, NULL, 0);
    else if (is("system"))
        assert(system("sleep 0.1") >= 0);
    else if (is("sem"))
        sem_wait(&semaphore);
    else if (is("join"))
        pthread_join(first, NULL);
    else if (is("sigwait"))
        sigwaitinfo(&set, NULL);
    else if (is("sleep"))
        sleep(1);
    else if (is("nanosleep"))
        nanosleep(&second, NULL);
    else if (is("semtimed"))
        sem_timedwait(&semaphore, &second);
    else if (is("poll"))
        poll(NULL, 0, 1000);
}

static void *work(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    wait_there();
    passed = 1;
    pthread_cleanup_pop(0);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *result;
    point = argc > 1 ? argv[1] : "sem";
    first = pthread_self();
    sem_init(&semaphore, 0, 0);
    prepare();
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_cancel(thread) == 0);
    pthread_join(thread, &result);
    assert(result == (passed ? NULL : PTHREAD_CANCELED));
    assert(cleaned == !passed);
    if (is("fifo")) { /* the end that was to be opened is not */
        assert(open("pipe", O_WRONLY | O_NONBLOCK) < 0);
        assert(unlink("pipe") == 0 && rmdir(path) == 0);
    }
    return 0;
}
