// Pipes with names, between threads of the program: open waits for the other end, and then they are
// pipes; as without Bohr. Two threads meet: the thread that opens first waits, a step of its own. If that is main,
// the writer goes on with a write and a close, main with the end of its wait and a read that comes after
// the write: 5 orders. If it is the writer, only its close and main's read have two. 7 executions.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 7
// run: -s dfs -- stream
// expect: no finding
// expect: complete == true
// run: -s dfs -- alone
// expect: no finding
// expect: executions 1
// run: -s dfs -- nobody
// expect: finding deadlock
// run: -s dfs -- signal
// expect: no finding
// expect: complete == true
// run: -s dfs -- again
// expect: exit 3
// expect: output freopen: not modelled for a pipe with a name
// expect: output fifo.c
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256], path[300], bytes[64];

static void fails(long result, int error)
{
    assert(result == -1 && errno == error);
    errno = 0;
}

static void *writes(void *unused)
{
    int end = open(path, O_WRONLY);
    assert(end >= 0 && write(end, "hello", 5) == 5 && close(end) == 0);
    return unused;
}

static void *prints(void *unused)
{
    FILE *end = fopen(path, "w");
    assert(end != NULL && fprintf(end, "%d lines\n", 3) > 0 && fclose(end) == 0);
    return unused;
}

static pthread_t start(void *(*work)(void *))
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    return thread;
}

static void meets(void)
{
    pthread_t thread = start(writes);
    int end = open(path, O_RDONLY);
    struct stat status;
    assert(end >= 0 && fstat(end, &status) == 0 && S_ISFIFO(status.st_mode));
    assert(read(end, bytes, sizeof bytes) == 5 && memcmp(bytes, "hello", 5) == 0);
    assert(read(end, bytes, sizeof bytes) == 0 && close(end) == 0);
    assert(pthread_join(thread, NULL) == 0);
}

static void by_stream(void)
{
    pthread_t thread = start(prints);
    FILE *end = fopen(path, "re");
    int lines = 0;
    assert(end != NULL && fscanf(end, "%d lines", &lines) == 1 && lines == 3);
    assert(fclose(end) == 0 && pthread_join(thread, NULL) == 0);
}

static short ready(int end)
{
    struct pollfd file = {.fd = end, .events = POLLIN | POLLOUT};
    assert(poll(&file, 1, 0) >= 0);
    return file.revents;
}

static void without_waiting(void)
{
    fails(open(path, O_WRONLY | O_NONBLOCK), ENXIO);
    fails(open(path, O_RDONLY | O_CREAT | O_EXCL, 0600), EEXIST);
    int in = open(path, O_RDONLY | O_NONBLOCK);
    assert(in >= 0 && ready(in) == 0 && read(in, bytes, 9) == 0); /* nobody has written yet */
    int out = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    assert(out >= 0 && fcntl(out, F_GETFD) == FD_CLOEXEC && fcntl(out, F_GETFL) & O_NONBLOCK);
    fails(read(in, bytes, 9), EAGAIN);
    fails(read(out, bytes, 9), EBADF);
    fails(lseek(in, 0, SEEK_SET), ESPIPE);
    assert(ready(in) == 0 && ready(out) == POLLOUT && write(out, "abc", 3) == 3);
    assert(ready(in) == POLLIN && close(out) == 0 && ready(in) == (POLLIN | POLLHUP));
    assert(read(in, bytes, 9) == 3 && ready(in) == POLLHUP && read(in, bytes, 9) == 0);
    out = open(path, O_WRONLY);
    assert(out >= 0 && ready(in) == 0 && close(in) == 0 && ready(out) == (POLLOUT | POLLERR));
    signal(SIGPIPE, SIG_IGN);
    fails(write(out, "x", 1), EPIPE);
    assert(close(out) == 0);
    int both = open(path, O_RDWR); /* waits for nobody */
    assert(both >= 0 && write(both, "kept", 4) == 4 && read(both, bytes, 2) == 2);
    assert(close(both) == 0 && (both = open(path, O_RDWR | O_NONBLOCK)) >= 0);
    fails(read(both, bytes, 9), EAGAIN); /* with the last end all is gone */
    assert(unlinkat(AT_FDCWD, path, 0) == 0 && mkfifoat(AT_FDCWD, path, 0600) == 0);
    in = open(path, O_RDONLY | O_NONBLOCK); /* another one of that name */
    assert(in >= 0 && write(both, "x", 1) == 1 && read(in, bytes, 9) == 0);
    assert(close(in) == 0 && close(both) == 0);
}

static void on_signal(int number)
{
}

static void *waits(void *unused)
{
    int end = open(path, O_RDONLY);
    if (end < 0)
        assert(errno == EINTR);
    else
        close(end);
    return unused;
}

static void interrupted(void)
{
    assert(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL) == 0);
    pthread_t thread = start(waits);
    assert(pthread_kill(thread, SIGUSR1) == 0);
    int other = open(path, O_WRONLY | O_NONBLOCK);
    while (other < 0 && pthread_tryjoin_np(thread, NULL) == EBUSY) {
        sched_yield();
        other = open(path, O_WRONLY | O_NONBLOCK);
    }
    if (other >= 0)
        assert(close(other) == 0 && pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    const char *temporary = getenv("TMPDIR"); /* an execution that ends in the middle leaves it behind there */
    snprintf(folder, sizeof folder, "%s/bohr-fifo-XXXXXX", temporary != NULL ? temporary : "/tmp");
    assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert(mkfifo(path, 0600) == 0);
    if (strcmp(way, "stream") == 0)
        by_stream();
    else if (strcmp(way, "alone") == 0)
        without_waiting();
    else if (strcmp(way, "nobody") == 0)
        waits(NULL);
    else if (strcmp(way, "signal") == 0)
        interrupted();
    else if (strcmp(way, "again") == 0)
        freopen(path, "r", stdin);
    else
        meets();
    assert(unlink(path) == 0 && rmdir(folder) == 0);
    return 0;
}
