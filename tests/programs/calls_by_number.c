// syscall() with the number of a function that is modelled does what the function does: it is a step, it
// waits in the scheduler, and it fails with the same errors.
// modes: all preload
// expect: no finding
// run: -s dfs -- yields
// A yield each: C(2,1) orders.
// expect: executions 2
// run: -s dfs -- ends
// expect: executions 1
// run: -s dfs -- sockets
// run: -s dfs -- named
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int listener;
static struct sockaddr_in address = {.sin_family = AF_INET};
static char path[] = "/tmp/bohr-by-number-XXXXXX";
static char name[64];

static void *yields(void *unused)
{
    assert(syscall(SYS_sched_yield) == 0);
    return unused;
}

static void *answers(void *unused)
{
    char byte;
    int client = (int)syscall(SYS_accept, listener, NULL, NULL);
    assert(client >= 0 && syscall(SYS_recvfrom, client, &byte, 1, 0, NULL, NULL) == 1);
    assert(syscall(SYS_sendto, client, &byte, 1, 0, NULL, 0) == 1);
    assert(syscall(SYS_shutdown, client, SHUT_WR) == 0 && close(client) == 0);
    return unused;
}

static void sockets(void)
{
    socklen_t size = sizeof address;
    int one = 1, there = -1, client = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    struct stat status;
    pthread_t thread;
    listener = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(syscall(SYS_setsockopt, listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0);
    assert(syscall(SYS_bind, listener, &address, size) == 0);
    assert(syscall(SYS_listen, listener, 1) == 0);
    assert(syscall(SYS_getsockname, listener, &address, &size) == 0 && address.sin_port != 0);
    assert(syscall(SYS_getpeername, listener, &address, &size) == -1 && errno == ENOTCONN);
    pthread_create(&thread, NULL, answers, NULL);
    assert(syscall(SYS_connect, client, &address, sizeof address) == 0);
    assert(syscall(SYS_sendto, client, "x", 1, 0, NULL, 0) == 1);
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    assert(syscall(SYS_recvmsg, client, &message, 0) == 1 && byte == 'x');
    assert(syscall(SYS_ioctl, client, FIONREAD, &there) == 0 && there == 0);
    assert(syscall(SYS_fstat, client, &status) == 0 && S_ISSOCK(status.st_mode));
    size = sizeof one;
    assert(syscall(SYS_getsockopt, client, SOL_SOCKET, SO_TYPE, &one, &size) == 0);
    assert(one == SOCK_STREAM);
    pthread_join(thread, NULL);
    assert(close(client) == 0 && close(listener) == 0);
}

static void *writes_named(void *unused)
{
    int end = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY);
    assert(end >= 0 && syscall(SYS_write, end, "n", 1) == 1 && syscall(SYS_close, end) == 0);
    return unused;
}

static void named(void)
{
    char byte = 0;
    pthread_t thread;
    assert(mkdtemp(path) != NULL);
    strcat(strcpy(name, path), "/pipe");
    assert(mkfifo(name, 0600) == 0);
    pthread_create(&thread, NULL, writes_named, NULL);
    int end = (int)syscall(SYS_open, name, O_RDONLY);
    assert(end >= 0 && syscall(SYS_read, end, &byte, 1) == 1 && byte == 'n');
    assert(syscall(SYS_read, end, &byte, 1) == 0 && syscall(SYS_close, end) == 0);
    pthread_join(thread, NULL);
    assert(unlink(name) == 0 && rmdir(path) == 0);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc > 1 && strcmp(argv[1], "sockets") == 0)
        sockets();
    else if (argc > 1 && strcmp(argv[1], "named") == 0)
        named();
    if (argc > 1 && strcmp(argv[1], "ends") == 0) {
        atexit(abort); /* not called */
        syscall(SYS_exit_group, 0);
    } else if (argc > 1 && strcmp(argv[1], "yields") == 0) {
        pthread_create(&thread, NULL, yields, NULL);
        yields(NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}
