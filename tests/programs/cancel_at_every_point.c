// Every function that POSIX calls a cancellation point acts on a request that has come before, also where
// it would not have to wait or is about a file of the kernel's; others do not. Each thread cancels itself and then
// calls one of them; there is never more than one thread that can go on: one execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int file, ends[2], pair[2], listener, event, waiter;
static sem_t semaphore;
static pthread_t first;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static char path[32] = "/tmp/bohr-points-XXXXXX", fifo[40];
static char byte[1];
static struct iovec part = {byte, 1};
static struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0bohr-points"};
static struct timespec now, tick = {.tv_nsec = 1};
static sigset_t none, one;
static int cleaned;

static void close_again(void)
{
    close(dup(file));
}

static void close_pipe(void)
{
    close(fcntl(ends[0], F_DUPFD_CLOEXEC, 0));
}

static void lock_part(void)
{
    struct flock lock = {.l_type = F_WRLCK};
    fcntl(file, F_SETLKW, &lock);
}

static void unlock(void *lock)
{
    pthread_mutex_unlock(lock);
}

static void wait_with_mutex(void)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(1);
}

static void wait_until(void)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cond_timedwait(&cond, &mutex, &now);
    pthread_cleanup_pop(1);
}

static void look_at_file(void)
{
    poll(&(struct pollfd){.fd = ends[1], .events = POLLOUT}, 1, 0);
}

static void select_none(void)
{
    select(0, NULL, NULL, NULL, &(struct timeval){0});
}

static void wait_for_events(void)
{
    epoll_wait(waiter, &(struct epoll_event){0}, 1, 0);
}

static void wait_for_events_too(void)
{
    epoll_pwait(waiter, &(struct epoll_event){0}, 1, 0, &none);
}

static void take_signal(void)
{
    int number;
    sigwait(&one, &number);
}

static void ask_for_child(void)
{
    siginfo_t info;
    waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
}

static void locks(void)
{
    assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_rwlock_rdlock(&rwlock) == 0 && pthread_rwlock_unlock(&rwlock) == 0);
    assert(pthread_rwlock_wrlock(&rwlock) == 0 && pthread_rwlock_unlock(&rwlock) == 0);
    assert(pthread_spin_lock(&spin) == 0 && pthread_spin_unlock(&spin) == 0);
}

/* the call, and whether it is a point */
#define CALLS(POINT, OTHER)                                                                 \
    POINT(read(file, byte, 1))                                                              \
    POINT(write(file, byte, 1))                                                             \
    POINT(readv(file, &part, 1))                                                            \
    POINT(writev(file, &part, 1))                                                           \
    POINT(pread(file, byte, 1, 0))                                                          \
    POINT(pwrite(file, byte, 1, 0))                                                         \
    POINT(preadv(file, &part, 1, 0))                                                        \
    POINT(pwritev(file, &part, 1, 0))                                                       \
    POINT(open(path, O_RDONLY))                                                             \
    POINT(openat(AT_FDCWD, path, O_RDONLY))                                                 \
    POINT(creat(path, 0600))                                                                \
    POINT(open(fifo, O_RDONLY | O_NONBLOCK))                                                \
    POINT(close_again())                                                                    \
    POINT(close_pipe())                                                                     \
    POINT(lock_part())                                                                      \
    POINT(lockf(file, F_LOCK, 1))                                                           \
    POINT(read(ends[0], byte, 1))                                                           \
    POINT(write(ends[1], byte, 1))                                                          \
    POINT(readv(ends[0], &part, 1))                                                         \
    POINT(writev(ends[1], &part, 1))                                                        \
    POINT(recv(pair[0], byte, 1, 0))                                                        \
    POINT(recvfrom(pair[0], byte, 1, MSG_DONTWAIT, NULL, NULL))                             \
    POINT(recvmsg(pair[0], &message, 0))                                                    \
    POINT(send(pair[0], byte, 1, 0))                                                        \
    POINT(sendto(pair[0], byte, 1, MSG_DONTWAIT, NULL, 0))                                  \
    POINT(sendmsg(pair[0], &message, 0))                                                    \
    POINT(accept(listener, NULL, NULL))                                                     \
    POINT(accept4(listener, NULL, NULL, SOCK_CLOEXEC))                                      \
    POINT(connect(pair[1], (void *)&address, sizeof address))                               \
    POINT(eventfd_read(event, &(eventfd_t){0}))                                             \
    POINT(look_at_file())                                                                   \
    POINT(poll(NULL, 0, 0))                                                                 \
    POINT(ppoll(NULL, 0, &tick, &none))                                                     \
    POINT(select_none())                                                                    \
    POINT(pselect(0, NULL, NULL, NULL, &tick, &none))                                       \
    POINT(wait_for_events())                                                                \
    POINT(wait_for_events_too())                                                            \
    POINT(sleep(0))                                                                         \
    POINT(usleep(1))                                                                        \
    POINT(nanosleep(&tick, NULL))                                                           \
    POINT(clock_nanosleep(CLOCK_MONOTONIC, 0, &tick, NULL))                                 \
    POINT(pause())                                                                          \
    POINT(sigsuspend(&none))                                                                \
    POINT(take_signal())                                                                    \
    POINT(sigwaitinfo(&one, NULL))                                                          \
    POINT(sigtimedwait(&one, NULL, &tick))                                                  \
    POINT(sem_wait(&semaphore))                                                             \
    POINT(sem_timedwait(&semaphore, &now))                                                  \
    POINT(pthread_join(first, NULL))                                                        \
    POINT(pthread_timedjoin_np(first, NULL, &now))                                          \
    POINT(wait_with_mutex())                                                                \
    POINT(wait_until())                                                                     \
    POINT(pthread_testcancel())                                                             \
    POINT(wait(NULL))                                                                       \
    POINT(waitpid(-1, NULL, WNOHANG))                                                       \
    POINT(ask_for_child())                                                                  \
    POINT((void)!system("sleep 0.5"))                                                         \
    OTHER(locks())                                                                          \
    OTHER(pthread_cond_signal(&cond))                                                       \
    OTHER(pthread_cond_broadcast(&cond))                                                    \
    OTHER(sem_post(&semaphore))                                                             \
    OTHER(sem_trywait(&semaphore))                                                          \
    OTHER(pthread_kill(first, 0))                                                           \
    OTHER(pthread_sigmask(SIG_BLOCK, &none, NULL))                                          \
    OTHER(sigpending(&(sigset_t){0}))                                                       \
    OTHER(sched_yield())                                                                    \
    OTHER(dup2(ends[0], ends[0]))                                                           \
    OTHER(dup2(ends[1], event))                                                             \
    OTHER(lseek(file, 0, SEEK_SET))                                                         \
    OTHER(epoll_ctl(waiter, EPOLL_CTL_ADD, ends[0], &(struct epoll_event){0}))              \
    OTHER(shutdown(pair[1], SHUT_RDWR))                                                     \
    OTHER(clock_gettime(CLOCK_MONOTONIC, &(struct timespec){0}))

#define POINT(call) \
    case __COUNTER__: call; break;
#define OTHER POINT
static void call_number(int number)
{
    switch (number) {
        CALLS(POINT, OTHER)
    }
}
#undef POINT
#undef OTHER

#define POINT(call) {#call, 1},
#define OTHER(call) {#call, 0},
static const struct {
    const char *text;
    int is_point;
} calls[] = {CALLS(POINT, OTHER)};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

static void clean(void *unused)
{
    cleaned++;
}

static void *work(void *number)
{
    pthread_cleanup_push(clean, NULL);
    assert(pthread_cancel(pthread_self()) == 0);
    call_number((int)(long)number);
    pthread_cleanup_pop(0);
    return NULL;
}

static void make_files(void)
{
    int folder = mkdtemp(path) != NULL;
    assert(folder);
    snprintf(fifo, sizeof fifo, "%s/p", path);
    strcat(path, "/f");
    file = open(path, O_RDWR | O_CREAT, 0600);
    assert(file >= 0 && mkfifo(fifo, 0600) == 0 && pipe2(ends, O_CLOEXEC) == 0);
    assert(write(file, "abc", 3) == 3 && lseek(file, 0, SEEK_SET) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert(bind(listener, (void *)&address, sizeof address) == 0 && listen(listener, 1) == 0);
    event = eventfd(1, EFD_CLOEXEC);
    waiter = epoll_create1(EPOLL_CLOEXEC);
    assert(event >= 0 && waiter >= 0);
}

static void remove_files(void)
{
    assert(unlink(path) == 0 && unlink(fifo) == 0);
    *strrchr(path, '/') = 0;
    assert(rmdir(path) == 0);
}

int main(void)
{
    first = pthread_self();
    sem_init(&semaphore, 0, 1);
    pthread_spin_init(&spin, 0);
    sigemptyset(&none);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    make_files();
    for (long number = 0; number < CALL_COUNT; number++) {
        pthread_t thread;
        void *result = NULL;
        cleaned = 0;
        assert(pthread_create(&thread, NULL, work, (void *)number) == 0);
        assert(pthread_join(thread, &result) == 0);
        int cancelled = result == PTHREAD_CANCELED && cleaned == 1;
        if (cancelled != calls[number].is_point)
            fprintf(stderr, "%s\n", calls[number].text);
        assert(cancelled == calls[number].is_point);
    }
    remove_files();
    return 0;
}
