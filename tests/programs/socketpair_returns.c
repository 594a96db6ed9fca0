// Results of the functions on pairs of sockets; the same as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char bytes[300000];

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static short ready(int descriptor)
{
    struct pollfd file = {.fd = descriptor, .events = POLLIN | POLLOUT | POLLRDHUP};
    poll(&file, 1, 0);
    return file.revents;
}

static void streams(void)
{
    int ends[2], there;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(fcntl(ends[0], F_GETFL) == O_RDWR && ready(ends[0]) == POLLOUT);
    struct stat status;
    assert(fstat(ends[0], &status) == 0 && S_ISSOCK(status.st_mode));
    assert(send(ends[0], "hello", 5, 0) == 5 && write(ends[0], "!", 1) == 1);
    assert(ioctl(ends[1], FIONREAD, &there) == 0 && there == 6);
    assert(recv(ends[1], bytes, 3, MSG_PEEK) == 3 && memcmp(bytes, "hel", 3) == 0);
    assert(recv(ends[1], bytes, 6, MSG_WAITALL) == 6 && memcmp(bytes, "hello!", 6) == 0);
    fails(recv(ends[1], bytes, 1, MSG_DONTWAIT), EAGAIN);
    assert(write(ends[1], "back", 4) == 4 && ready(ends[0]) == (POLLIN | POLLOUT));
    assert(read(ends[0], bytes, 99) == 4);

    struct sockaddr_un address;
    socklen_t size = sizeof address;
    assert(getsockname(ends[0], (void *)&address, &size) == 0 && size == sizeof(sa_family_t) &&
           address.sun_family == AF_UNIX);
    size = sizeof address;
    assert(getpeername(ends[0], (void *)&address, &size) == 0 && size == sizeof(sa_family_t));
    int type = 0;
    size = sizeof type;
    assert(getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM);
    fails(connect(ends[0], (void *)&(struct sockaddr_un){AF_UNIX, "/nowhere-at-all"},
                  sizeof address), ENOENT);
    fails(listen(ends[0], 1), EINVAL);
    fails(accept(ends[0], NULL, NULL), EINVAL);

    assert(write(ends[0], "end", 3) == 3 && shutdown(ends[0], SHUT_WR) == 0);
    fails(send(ends[0], "x", 1, MSG_NOSIGNAL), EPIPE);
    assert(read(ends[1], bytes, 9) == 3 && read(ends[1], bytes, 9) == 0);
    assert(ready(ends[1]) == (POLLIN | POLLOUT | POLLRDHUP));
    assert(write(ends[1], "y", 1) == 1 && read(ends[0], bytes, 9) == 1);
    fails(shutdown(ends[0], 3), EINVAL);
    assert(close(ends[1]) == 0);
    assert(read(ends[0], bytes, 9) == 0);
    assert(ready(ends[0]) == (POLLIN | POLLOUT | POLLHUP | POLLRDHUP));
    close(ends[0]);
}

static void hung_up(void)
{
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    assert(fcntl(ends[1], F_GETFL) == (O_RDWR | O_NONBLOCK) && fcntl(ends[1], F_GETFD) == 1);
    fails(read(ends[0], bytes, 1), EAGAIN);
    assert(write(ends[0], "unread", 6) == 6 && write(ends[1], "kept", 4) == 4);
    assert(close(ends[1]) == 0);
    assert(read(ends[0], bytes, 9) == 4); /* what came before the end is there */
    fails(read(ends[0], bytes, 9), ECONNRESET);
    assert(read(ends[0], bytes, 9) == 0);
    fails(send(ends[0], "x", 1, MSG_NOSIGNAL), EPIPE);
    signal(SIGPIPE, SIG_IGN);
    fails(write(ends[0], "x", 1), EPIPE);
    close(ends[0]);
}

static void datagrams(int type)
{
    int ends[2];
    struct iovec part = {bytes, 2};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    assert(socketpair(AF_UNIX, type, 0, ends) == 0);
    assert(send(ends[0], "one", 3, 0) == 3 && send(ends[0], "second", 6, 0) == 6);
    assert(recv(ends[1], bytes, 99, 0) == 3 && memcmp(bytes, "one", 3) == 0);
    assert(recvmsg(ends[1], &message, MSG_PEEK) == 2 && message.msg_flags & MSG_TRUNC);
    assert(recv(ends[1], bytes, 2, MSG_TRUNC) == 6 && memcmp(bytes, "se", 2) == 0);
    fails(recv(ends[1], bytes, 2, MSG_DONTWAIT), EAGAIN);
    fails(send(ends[0], bytes, sizeof bytes, 0), EMSGSIZE);
    assert(sendmsg(ends[1], &message, 0) == 2 && read(ends[0], bytes, 9) == 2);
    close(ends[0]);
    if (type == SOCK_DGRAM)
        fails(send(ends[1], "x", 1, MSG_NOSIGNAL), ECONNREFUSED);
    else
        fails(send(ends[1], "x", 1, MSG_NOSIGNAL), EPIPE);
    close(ends[1]);
}

static void errors(void)
{
    int ends[2];
    fails(socketpair(AF_INET, SOCK_STREAM, 0, ends), EOPNOTSUPP);
    fails(socketpair(AF_UNIX, SOCK_STREAM, 17, ends), EPROTONOSUPPORT);
    fails(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP), EPROTONOSUPPORT);
    assert(pipe(ends) == 0);
    fails(send(ends[1], "x", 1, 0), ENOTSOCK);
    fails(recv(ends[0], bytes, 1, 0), ENOTSOCK);
    fails(listen(ends[0], 1), ENOTSOCK);
    fails(accept(ends[0], NULL, NULL), ENOTSOCK);
    fails(shutdown(ends[0], SHUT_RD), ENOTSOCK);
    fails(bind(ends[0], (void *)bytes, 16), ENOTSOCK);
    fails(connect(ends[0], (void *)bytes, 16), ENOTSOCK);
    fails(accept(99, NULL, NULL), EBADF);
    fails(listen(0, 1), ENOTSOCK);
}

int main(void)
{
    streams();
    hung_up();
    datagrams(SOCK_DGRAM);
    datagrams(SOCK_SEQPACKET);
    errors();
    return 0;
}
