// Each error that POSIX defines for a function on sockets, where it can be provoked; as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char bytes[256];
static socklen_t room = sizeof bytes;
static struct iovec part = {bytes, 1};
static struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
static struct sockaddr_in loopback = {.sin_family = AF_INET};
static struct sockaddr_un path = {.sun_family = AF_UNIX};
static const struct sockaddr_in foreign = {.sin_family = AF_INET};
static int none = 99, file, tcp, udp, local, pair[2], listener;

static void fails(long result, int error)
{
    if (result != -1 || errno != error)
        fprintf(stderr, "expected %s, got %ld %s\n", strerrorname_np(error), result,
                strerrorname_np(errno));
    assert(result == -1 && errno == error);
    errno = 0;
}

static void new_ones(void)
{
    fails(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP), EPROTONOSUPPORT);
    fails(socket(AF_INET, SOCK_SEQPACKET, 0), ESOCKTNOSUPPORT);
    fails(socket(AF_INET, 99, 0), EINVAL);
    fails(socket(999, SOCK_STREAM, 0), EAFNOSUPPORT);
    fails(socketpair(AF_UNIX, SOCK_STREAM, 99, pair), EPROTONOSUPPORT);
    fails(socketpair(AF_INET, SOCK_STREAM, 0, pair), EOPNOTSUPP);
    fails(socketpair(999, SOCK_STREAM, 0, pair), EAFNOSUPPORT);
    fails(socketpair(AF_UNIX, 99, 0, pair), EINVAL);
}

static void no_descriptor(void)
{
    fails(bind(none, (void *)&loopback, sizeof loopback), EBADF);
    fails(listen(none, 1), EBADF);
    fails(connect(none, (void *)&loopback, sizeof loopback), EBADF);
    fails(accept(none, NULL, NULL), EBADF);
    fails(accept4(none, NULL, NULL, 0), EBADF);
    fails(shutdown(none, SHUT_RD), EBADF);
    fails(getsockname(none, (void *)bytes, &room), EBADF);
    fails(getpeername(none, (void *)bytes, &room), EBADF);
    fails(setsockopt(none, SOL_SOCKET, SO_REUSEADDR, &none, sizeof none), EBADF);
    fails(getsockopt(none, SOL_SOCKET, SO_ERROR, bytes, &room), EBADF);
    fails(send(none, bytes, 1, 0), EBADF);
    fails(sendto(none, bytes, 1, 0, (void *)&loopback, sizeof loopback), EBADF);
    fails(sendmsg(none, &message, 0), EBADF);
    fails(recv(none, bytes, 1, 0), EBADF);
    fails(recvfrom(none, bytes, 1, 0, NULL, NULL), EBADF);
    fails(recvmsg(none, &message, 0), EBADF);
}

static void no_socket(int descriptor)
{
    fails(bind(descriptor, (void *)&loopback, sizeof loopback), ENOTSOCK);
    fails(listen(descriptor, 1), ENOTSOCK);
    fails(connect(descriptor, (void *)&loopback, sizeof loopback), ENOTSOCK);
    fails(accept(descriptor, NULL, NULL), ENOTSOCK);
    fails(accept4(descriptor, NULL, NULL, 0), ENOTSOCK);
    fails(shutdown(descriptor, SHUT_RD), ENOTSOCK);
    fails(getsockname(descriptor, (void *)bytes, &room), ENOTSOCK);
    fails(getpeername(descriptor, (void *)bytes, &room), ENOTSOCK);
    fails(setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &none, sizeof none), ENOTSOCK);
    fails(getsockopt(descriptor, SOL_SOCKET, SO_ERROR, bytes, &room), ENOTSOCK);
    fails(send(descriptor, bytes, 1, 0), ENOTSOCK);
    fails(sendto(descriptor, bytes, 1, 0, (void *)&loopback, sizeof loopback), ENOTSOCK);
    fails(sendmsg(descriptor, &message, 0), ENOTSOCK);
    fails(recv(descriptor, bytes, 1, 0), ENOTSOCK);
    fails(recvfrom(descriptor, bytes, 1, 0, NULL, NULL), ENOTSOCK);
    fails(recvmsg(descriptor, &message, 0), ENOTSOCK);
}

static void names(void)
{
    struct sockaddr_un long_name = {.sun_family = AF_UNIX};
    struct sockaddr wrong = {.sa_family = AF_UNIX};
    memset(long_name.sun_path, 'x', sizeof long_name.sun_path);
    fails(bind(tcp, &wrong, sizeof loopback), EAFNOSUPPORT);
    fails(bind(tcp, (void *)&loopback, 3), EINVAL);
    fails(bind(tcp, (void *)&loopback, sizeof loopback), EADDRINUSE);
    assert(bind(udp, (void *)&foreign, sizeof foreign) == 0);
    fails(bind(udp, (void *)&foreign, sizeof foreign), EINVAL);
    strcpy(path.sun_path, "/nowhere/at/all");
    fails(bind(local, (void *)&path, sizeof path), ENOENT);
    fails(connect(local, (void *)&path, sizeof path), ENOENT);
    strcpy(path.sun_path, "/dev/null/socket");
    fails(bind(local, (void *)&path, sizeof path), ENOTDIR);
    fails(connect(local, (void *)&path, sizeof path), ENOTDIR);
    strcpy(path.sun_path, "/dev/null");
    fails(bind(local, (void *)&path, sizeof path), EADDRINUSE);
    fails(bind(local, (void *)&long_name, sizeof long_name + 1), EINVAL);
    fails(connect(local, (void *)&long_name, sizeof long_name + 1), EINVAL);
    fails(listen(udp, 1), EOPNOTSUPP);
    fails(listen(local, 1), EINVAL);
    fails(listen(pair[0], 1), EINVAL);
}

static void connections(void)
{
    fails(connect(tcp, &(struct sockaddr){.sa_family = AF_UNIX}, 16), EAFNOSUPPORT);
    fails(connect(tcp, (void *)&loopback, 3), EINVAL);
    fails(accept(tcp, NULL, NULL), EINVAL);
    fails(accept4(tcp, NULL, NULL, 0), EINVAL);
    fails(accept4(listener, NULL, NULL, ~0), EINVAL);
    fails(accept(udp, NULL, NULL), EOPNOTSUPP);
    fails(accept4(udp, NULL, NULL, 0), EOPNOTSUPP);
    assert(fcntl(listener, F_SETFL, O_NONBLOCK) == 0);
    fails(accept(listener, NULL, NULL), EAGAIN);
    fails(accept4(listener, NULL, NULL, 0), EAGAIN);
    fails(shutdown(tcp, SHUT_RD), ENOTCONN);
    fails(shutdown(tcp, 99), EINVAL);
    fails(getpeername(tcp, (void *)bytes, &room), ENOTCONN);
    room = -1;
    fails(getsockname(tcp, (void *)bytes, &room), EINVAL);
    room = sizeof bytes;
    assert(connect(tcp, (void *)&loopback, sizeof loopback) == 0);
    fails(connect(tcp, (void *)&loopback, sizeof loopback), EISCONN);
    room = -1;
    fails(getpeername(tcp, (void *)bytes, &room), EINVAL);
    room = sizeof bytes;
    struct sockaddr_un stream = {.sun_family = AF_UNIX}, other = {.sun_family = AF_UNIX};
    socklen_t size = sizeof stream;
    char folder[] = "/tmp/bohr-errors-XXXXXX";
    assert(mkdtemp(folder) != NULL);
    snprintf(stream.sun_path, sizeof stream.sun_path, "%s/stream", folder);
    memcpy(other.sun_path, "\0bohr-errors", 12);
    assert(bind(local, (void *)&stream, size) == 0);
    int datagrams = socket(AF_UNIX, SOCK_DGRAM, 0), more = socket(AF_UNIX, SOCK_STREAM, 0);
    fails(bind(datagrams, (void *)&stream, size), EADDRINUSE);
    fails(connect(datagrams, (void *)&stream, size), EPROTOTYPE);
    fails(connect(more, (void *)&stream, size), ECONNREFUSED); /* it does not listen yet */
    fails(connect(more, (void *)&other, size), ECONNREFUSED);
    assert(listen(local, 0) == 0 && connect(more, (void *)&stream, size) == 0);
    fails(sendto(datagrams, bytes, 1, 0, (void *)&stream, size), EPROTOTYPE);
    fails(sendto(more, bytes, 1, 0, (void *)&stream, size), EISCONN);
    int full = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    fails(connect(full, (void *)&stream, size), EAGAIN); /* nobody accepts */
    fails(sendto(full, bytes, 1, 0, (void *)&stream, size), EOPNOTSUPP);
    close(datagrams);
    close(more);
    close(full);
    assert(unlink(stream.sun_path) == 0 && rmdir(folder) == 0);
}

static void options(void)
{
    int on = 1;
    fails(setsockopt(tcp, SOL_SOCKET, SO_REUSEADDR, &on, 1), EINVAL);
    struct timeval time = {.tv_usec = 1000000};
    fails(setsockopt(tcp, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time), EDOM);
    fails(setsockopt(tcp, SOL_SOCKET, SO_RCVTIMEO, &time, 1), EINVAL);
    room = -1;
    fails(getsockopt(tcp, SOL_SOCKET, SO_ERROR, bytes, &room), EINVAL);
    room = sizeof bytes;
}

static void transfers(void)
{
    int fresh = socket(AF_INET, SOCK_STREAM, 0), lone = socket(AF_INET, SOCK_DGRAM, 0);
    char large[70000] = {0};
    fails(send(fresh, bytes, 1, MSG_NOSIGNAL), EPIPE);
    fails(sendmsg(fresh, &message, MSG_NOSIGNAL), EPIPE);
    fails(recv(fresh, bytes, 1, 0), ENOTCONN);
    fails(recvfrom(fresh, bytes, 1, 0, NULL, NULL), ENOTCONN);
    fails(recvmsg(fresh, &message, 0), ENOTCONN);
    fails(send(lone, bytes, 1, 0), EDESTADDRREQ);
    fails(sendmsg(lone, &message, 0), EDESTADDRREQ);
    fails(sendto(lone, large, sizeof large, 0, (void *)&loopback, sizeof loopback), EMSGSIZE);
    fails(sendto(lone, bytes, 1, 0, &(struct sockaddr){.sa_family = AF_UNIX}, 16), EAFNOSUPPORT);
    fails(sendto(lone, bytes, 1, 0, (void *)&loopback, 3), EINVAL);
    fails(recv(lone, bytes, 1, MSG_DONTWAIT), EAGAIN);
    fails(recvfrom(lone, bytes, 1, MSG_DONTWAIT, NULL, NULL), EAGAIN);
    fails(recvmsg(lone, &message, MSG_DONTWAIT), EAGAIN);
    message.msg_iovlen = 1 << 20;
    fails(sendmsg(lone, &message, 0), EMSGSIZE);
    fails(recvmsg(lone, &message, 0), EMSGSIZE);
    message.msg_iovlen = 1;
    struct sockaddr_un path_of = {.sun_family = AF_UNIX, .sun_path = "/nowhere/at/all"};
    int datagrams = socket(AF_UNIX, SOCK_DGRAM, 0);
    fails(send(datagrams, bytes, 1, 0), ENOTCONN);
    fails(sendmsg(datagrams, &message, 0), ENOTCONN);
    fails(sendto(datagrams, bytes, 1, 0, (void *)&path_of, sizeof path_of), ENOENT);
    close(fresh);
    close(lone);
    close(datagrams);
}

static void other_end_is_gone(void)
{
    while (send(pair[0], bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        ;
    fails(send(pair[0], bytes, 1, MSG_DONTWAIT), EAGAIN);
    fails(sendto(pair[0], bytes, 1, MSG_DONTWAIT, NULL, 0), EAGAIN);
    fails(sendmsg(pair[0], &message, MSG_DONTWAIT), EAGAIN);
    close(pair[1]); /* with bytes that nobody has read */
    fails(recv(pair[0], bytes, 1, 0), ECONNRESET);
    fails(send(pair[0], bytes, 1, MSG_NOSIGNAL), EPIPE);
    fails(sendto(pair[0], bytes, 1, MSG_NOSIGNAL, NULL, 0), EPIPE);
    fails(sendmsg(pair[0], &message, MSG_NOSIGNAL), EPIPE);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && send(pair[0], "x", 1, 0) == 1);
    close(pair[1]);
    fails(recvfrom(pair[0], bytes, 1, 0, NULL, NULL), ECONNRESET);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && send(pair[0], "x", 1, 0) == 1);
    close(pair[1]);
    fails(recvmsg(pair[0], &message, 0), ECONNRESET);
}

int main(void)
{
    socklen_t size = sizeof loopback;
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    file = open("/dev/null", O_RDWR);
    int ends[2];
    assert(file >= 0 && pipe(ends) == 0);
    tcp = socket(AF_INET, SOCK_STREAM, 0);
    udp = socket(AF_INET, SOCK_DGRAM, 0);
    local = socket(AF_UNIX, SOCK_STREAM, 0);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (void *)&loopback, size) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (void *)&loopback, &size) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    int first[2] = {pair[0], pair[1]};
    new_ones();
    pair[0] = first[0], pair[1] = first[1];
    no_descriptor();
    no_socket(file);
    no_socket(ends[0]);
    names();
    connections();
    options();
    transfers();
    other_end_is_gone();
    return 0;
}
