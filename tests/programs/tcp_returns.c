// Results of TCP on the loopback interface when one thread plays both sides; as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char bytes[256];

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static short ready(int descriptor, int milliseconds)
{
    struct pollfd file = {.fd = descriptor, .events = POLLIN | POLLOUT | POLLRDHUP};
    poll(&file, 1, milliseconds);
    return file.revents;
}

static int listener(struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(ready(fd, 0) == (POLLOUT | POLLHUP));
    *address = (struct sockaddr_in){.sin_family = AF_INET,
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
    assert(bind(fd, (void *)address, sizeof *address) == 0);
    fails(bind(fd, (void *)address, sizeof *address), EINVAL);
    assert(getsockname(fd, (void *)address, &size) == 0 && size == sizeof *address);
    assert(address->sin_port != 0 && address->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    size = sizeof on;
    assert(getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &size) == 0 && on == 0);
    assert(listen(fd, 5) == 0);
    assert(getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &size) == 0 && on == 1);
    assert(ready(fd, 0) == 0);
    return fd;
}

static int connected(const struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    fails(getpeername(fd, (void *)bytes, &(socklen_t){sizeof bytes}), ENOTCONN);
    fails(send(fd, "x", 1, MSG_NOSIGNAL), EPIPE);
    fails(recv(fd, bytes, 1, 0), ENOTCONN);
    assert(connect(fd, (const void *)address, sizeof *address) == 0);
    fails(connect(fd, (const void *)address, sizeof *address), EISCONN);
    struct sockaddr_in peer;
    socklen_t size = sizeof peer;
    assert(getpeername(fd, (void *)&peer, &size) == 0 && peer.sin_port == address->sin_port);
    return fd;
}

static void talk(int server, const struct sockaddr_in *address)
{
    int client = connected(address);
    assert(send(client, "early", 5, 0) == 5); /* before anybody accepts */
    assert(ready(server, 1000) == POLLIN);
    struct sockaddr_in peer, own;
    socklen_t size = sizeof peer, other = sizeof own;
    int end = accept4(server, (void *)&peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    assert(size == sizeof peer && fcntl(end, F_GETFL) == (O_RDWR | O_NONBLOCK));
    assert(getsockname(client, (void *)&own, &other) == 0 && own.sin_port == peer.sin_port &&
           peer.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    assert(recv(end, bytes, sizeof bytes, 0) == 5);
    fails(recv(end, bytes, sizeof bytes, 0), EAGAIN);
    int on = 1;
    assert(setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0);
    assert(send(end, "answer", 6, 0) == 6 && recv(client, bytes, 6, MSG_WAITALL) == 6);
    assert(shutdown(client, SHUT_WR) == 0);
    assert(ready(end, 1000) == (POLLIN | POLLOUT | POLLRDHUP) && recv(end, bytes, 9, 0) == 0);
    assert(send(end, "last", 4, 0) == 4 && close(end) == 0);
    assert(recv(client, bytes, 9, MSG_WAITALL) == 4 && recv(client, bytes, 9, 0) == 0);
    assert(close(client) == 0);
}

static void without_blocking(int server, const struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), error = -1;
    socklen_t size = sizeof error;
    fails(connect(fd, (const void *)address, sizeof *address), EINPROGRESS);
    assert(ready(fd, 1000) == POLLOUT);
    assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0);
    assert(connect(fd, (const void *)address, sizeof *address) == 0); /* what came of it */
    fails(connect(fd, (const void *)address, sizeof *address), EISCONN);
    assert(fcntl(server, F_SETFL, O_NONBLOCK) == 0);
    int end = accept(server, NULL, NULL);
    assert(end >= 0);
    fails(accept(server, NULL, NULL), EAGAIN);
    assert(send(end, "x", 1, 0) == 1 && close(fd) == 0 && close(end) == 0);
}

static void nobody_listens(struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), error = 0;
    socklen_t size = sizeof error;
    fails(connect(fd, (void *)address, sizeof *address), ECONNREFUSED);
    assert(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    fails(connect(fd, (void *)address, sizeof *address), EINPROGRESS);
    assert(ready(fd, 1000) & POLLERR);
    assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == ECONNREFUSED);
    assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0);
    fails(connect(fd, (void *)address, sizeof *address), ECONNABORTED); /* that of the last one */
    close(fd);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    fails(connect(fd, (void *)&(struct sockaddr){.sa_family = AF_UNIX}, 16), EAFNOSUPPORT);
    fails(connect(fd, (void *)address, 3), EINVAL);
    close(fd);
}

static void addresses(int server, const struct sockaddr_in *address)
{
    int other = socket(AF_INET, SOCK_STREAM, 0);
    fails(bind(other, (const void *)address, sizeof *address), EADDRINUSE);
    struct sockaddr_in any = *address;
    any.sin_addr.s_addr = 0;
    fails(bind(other, (const void *)&any, sizeof any), EADDRINUSE);
    fails(bind(other, (const void *)address, 2), EINVAL);
    close(other);
    int six = socket(AF_INET6, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in6 wide = {.sin6_family = AF_INET6};
    socklen_t size = sizeof wide;
    if (six < 0 || bind(six, (void *)&wide, size) != 0) {
        close(six); /* a machine without IPv6 */
        close(client);
        errno = 0;
        return;
    }
    assert(listen(six, 1) == 0);
    assert(getsockname(six, (void *)&wide, &size) == 0);
    any.sin_port = wide.sin6_port;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(connect(client, (void *)&any, sizeof any) == 0);
    int end = accept(six, (void *)&wide, &size);
    assert(end >= 0 && IN6_IS_ADDR_V4MAPPED(&wide.sin6_addr));
    close(end);
    close(client);
    close(six);
}

int main(void)
{
    struct sockaddr_in address;
    int server = listener(&address);
    talk(server, &address);
    without_blocking(server, &address);
    addresses(server, &address);
    assert(shutdown(server, SHUT_RD) == 0);
    assert(fcntl(server, F_SETFL, 0) == 0);
    fails(accept(server, NULL, NULL), EINVAL);
    close(server);
    nobody_listens(&address);
    return 0;
}
