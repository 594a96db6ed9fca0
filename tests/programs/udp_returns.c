// Results of datagrams on the loopback interface and between Unix sockets; as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char bytes[70000];

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static int bound(struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    socklen_t size = sizeof *address;
    *address = (struct sockaddr_in){.sin_family = AF_INET,
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert(bind(fd, (void *)address, sizeof *address) == 0);
    assert(getsockname(fd, (void *)address, &size) == 0);
    return fd;
}

static void udp(void)
{
    struct sockaddr_in server_address, from;
    socklen_t size = sizeof from;
    int server = bound(&server_address), client = socket(AF_INET, SOCK_DGRAM, 0);
    fails(send(client, "x", 1, 0), EDESTADDRREQ);
    assert(sendto(client, "ask", 3, 0, (void *)&server_address, sizeof server_address) == 3);
    assert(recvfrom(server, bytes, 99, 0, (void *)&from, &size) == 3 && size == sizeof from);
    assert(from.sin_addr.s_addr == htonl(INADDR_LOOPBACK) && from.sin_port != 0);
    assert(sendto(server, "answer", 6, 0, (void *)&from, size) == 6);
    assert(recv(client, bytes, 3, 0) == 3 && memcmp(bytes, "ans", 3) == 0); /* the rest is lost */
    fails(recv(client, bytes, 3, MSG_DONTWAIT), EAGAIN);
    fails(sendto(client, bytes, sizeof bytes, 0, (void *)&server_address, sizeof server_address),
          EMSGSIZE);
    assert(connect(client, (void *)&server_address, sizeof server_address) == 0);
    assert(send(client, "", 0, 0) == 0 && recv(server, bytes, 9, 0) == 0);
    fails(listen(client, 1), EOPNOTSUPP);
    fails(accept(client, NULL, NULL), EOPNOTSUPP);
    struct timeval soon = {.tv_usec = 20000};
    assert(setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon) == 0);
    fails(recv(client, bytes, 9, 0), EAGAIN);
    close(server);
    assert(send(client, "lost", 4, 0) == 4);
    fails(recv(client, bytes, 9, 0), ECONNREFUSED);
    close(client);
}

static void between_names(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0bohr-udp-returns"}, from;
    socklen_t size = sizeof name, length = sizeof from;
    int server = socket(AF_UNIX, SOCK_DGRAM, 0), client = socket(AF_UNIX, SOCK_DGRAM, 0);
    fails(sendto(client, "x", 1, 0, (void *)&name, size), ECONNREFUSED);
    assert(bind(server, (void *)&name, size) == 0);
    fails(bind(client, (void *)&name, size), EADDRINUSE);
    fails(send(client, "x", 1, 0), ENOTCONN);
    assert(sendto(client, "x", 1, 0, (void *)&name, size) == 1);
    assert(recvfrom(server, bytes, 9, 0, (void *)&from, &length) == 1 && length == 0);
    assert(bind(client, (void *)&name, sizeof(sa_family_t)) == 0); /* the system gives a name */
    length = sizeof from;
    assert(getsockname(client, (void *)&from, &length) == 0);
    assert(length == sizeof(sa_family_t) + 6 && from.sun_path[0] == 0);
    assert(connect(client, (void *)&name, size) == 0 && send(client, "y", 1, 0) == 1);
    close(server);
    fails(send(client, "y", 1, 0), ECONNREFUSED);
    close(client);
}

static void on_paths(void)
{
    struct sockaddr_un path = {.sun_family = AF_UNIX, .sun_path = "/tmp/bohr-udp-returns-socket"};
    int server = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
    unlink(path.sun_path);
    fails(listen(server, 1), EINVAL);
    fails(connect(client, (void *)&path, sizeof path), ENOENT);
    assert(bind(server, (void *)&path, sizeof path) == 0);
    fails(connect(client, (void *)&path, sizeof path), ECONNREFUSED);
    assert(listen(server, 0) == 0);
    assert(connect(client, (void *)&path, sizeof path) == 0);
    int next = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    fails(connect(next, (void *)&path, sizeof path), EAGAIN); /* one waits already */
    struct sockaddr_un own;
    socklen_t size = sizeof own;
    int end = accept(server, (void *)&own, &size);
    assert(end >= 0 && size == sizeof(sa_family_t));
    size = sizeof own;
    assert(getpeername(client, (void *)&own, &size) == 0 &&
           strcmp(own.sun_path, path.sun_path) == 0);
    assert(connect(next, (void *)&path, sizeof path) == 0);
    assert(close(server) == 0);
    fails(recv(next, bytes, 1, 0), ECONNRESET); /* it was never accepted */
    server = socket(AF_UNIX, SOCK_STREAM, 0);
    fails(bind(server, (void *)&path, sizeof path), EADDRINUSE);
    assert(unlink(path.sun_path) == 0);
    fails(unlink(path.sun_path), ENOENT);
    assert(bind(server, (void *)&path, sizeof path) == 0 && unlink(path.sun_path) == 0);
    assert(write(client, "x", 1) == 1 && read(end, bytes, 9) == 1);
}

int main(void)
{
    udp();
    between_names();
    on_paths();
    return 0;
}
