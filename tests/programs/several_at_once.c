// Several messages and several parts in one call: each message is a step of its own, an error comes
// when nothing was done before it, and the functions with offsets know what a pipe is. By number, the
// same calls do the same.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int pair[2], ends[2], file, closed;
static char bytes[4][4], large[40000];
static struct iovec parts[4];
static struct mmsghdr messages[4];

static void fails(long result, int error)
{
    assert(result == -1 && errno == error);
    errno = 0;
}

static void ready(unsigned size)
{
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < 4; i++) {
        parts[i] = (struct iovec){bytes[i], size};
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
}

static void sends_three(void)
{
    ready(2);
    memcpy(bytes, "ab\0\0cd\0\0ef", 10);
    assert(sendmmsg(pair[0], messages, 3, 0) == 3 && messages[2].msg_len == 2);
    memset(bytes, 0, sizeof bytes);
    ready(4);
}

static void several_messages(void)
{
    sends_three();
    assert(recvmmsg(pair[1], messages, 3, 0, NULL) == 3 && messages[0].msg_len == 2);
    assert(memcmp(bytes, "ab\0\0cd\0\0ef", 10) == 0);
    sends_three();
    assert(recvmmsg(pair[1], messages, 4, MSG_WAITFORONE, NULL) == 3);
    sends_three();
    assert(recvmmsg(pair[1], messages, 4, MSG_DONTWAIT, NULL) == 3);
    sends_three();
    assert(syscall(SYS_recvmmsg, pair[1], messages, 3, 0, NULL) == 3);
    assert(syscall(SYS_sendmmsg, pair[0], messages, 1, 0) == 1);
    assert(recvmmsg(pair[1], messages, 1, 0, NULL) == 1 && messages[0].msg_len == 4);
    fails(recvmmsg(pair[1], messages, 1, MSG_DONTWAIT, NULL), EAGAIN);
    fails(recvmmsg(closed, messages, 1, 0, NULL), EBADF);
    fails(sendmmsg(closed, messages, 1, 0), EBADF);
    fails(recvmmsg(ends[0], messages, 1, 0, NULL), ENOTSOCK);
    fails(sendmmsg(ends[1], messages, 1, 0), ENOTSOCK);
    assert(sendmmsg(pair[0], messages, 0, 0) == 0);
    for (int i = 0; i < 4; i++)
        parts[i] = (struct iovec){large, sizeof large};
    int sent;
    do
        sent = sendmmsg(pair[0], messages, 4, MSG_DONTWAIT);
    while (sent == 4);
    if (sent >= 0)
        sent = sendmmsg(pair[0], messages, 4, MSG_DONTWAIT);
    fails(sent, EAGAIN);
}

static void several_parts(void)
{
    ready(1);
    memcpy(bytes, "a\0\0\0b\0\0\0c", 9);
    assert(pwritev2(ends[1], parts, 3, -1, 0) == 3);
    assert(pwritev64v2(ends[1], parts, 1, -1, 0) == 1);
    assert(syscall(SYS_pwritev2, ends[1], parts, 2, -1L, -1L, 0) == 2);
    memset(bytes, 0, sizeof bytes);
    assert(preadv2(ends[0], parts, 2, -1, 0) == 2 && bytes[0][0] == 'a' && bytes[1][0] == 'b');
    assert(preadv64v2(ends[0], parts, 1, -1, 0) == 1 && bytes[0][0] == 'c');
    assert(syscall(SYS_preadv2, ends[0], parts, 3, -1L, -1L, 0) == 3 && bytes[2][0] == 'b');
    fails(preadv2(ends[0], parts, 1, 0, 0), ESPIPE);
    fails(preadv64v2(ends[0], parts, 1, 0, 0), ESPIPE);
    fails(pwritev2(ends[1], parts, 1, 0, 0), ESPIPE);
    fails(pwritev64v2(ends[1], parts, 1, 0, 0), ESPIPE);
    fails(preadv(ends[0], parts, 1, 0), ESPIPE);
    fails(preadv64(ends[0], parts, 1, 0), ESPIPE);
    fails(pwritev(ends[1], parts, 1, 0), ESPIPE);
    fails(pwritev64(ends[1], parts, 1, 0), ESPIPE);
    fails(preadv(ends[0], parts, 1, -1), EINVAL);
    fails(pwritev(ends[1], parts, 1, -1), EINVAL);
    fails(preadv(closed, parts, 1, 0), EBADF);
    fails(pwritev(closed, parts, 1, 0), EBADF);
    fails(preadv2(closed, parts, 1, -1, 0), EBADF);
    fails(pwritev2(closed, parts, 1, -1, 0), EBADF);
    fails(syscall(SYS_preadv, ends[0], parts, 1, 0L, 0L), ESPIPE);
    fails(syscall(SYS_pread64, ends[0], bytes, 1, 0L), ESPIPE);
    fails(syscall(SYS_lseek, ends[0], 0L, SEEK_SET), ESPIPE);
}

static void parts_of_a_file(void)
{
    ready(1);
    memcpy(bytes, "a\0\0\0b\0\0\0c", 9);
    assert(pwritev(file, parts, 3, 0) == 3 && pwritev64(file, parts, 1, 3) == 1);
    assert(pwritev2(file, parts, 1, 4, 0) == 1 && pwritev64v2(file, parts, 1, 5, 0) == 1);
    memset(bytes, 0, sizeof bytes);
    assert(preadv(file, parts, 2, 1) == 2 && bytes[0][0] == 'b' && bytes[1][0] == 'c');
    assert(preadv64(file, parts, 1, 0) == 1 && bytes[0][0] == 'a');
    assert(preadv2(file, parts, 2, 2, 0) == 2 && bytes[0][0] == 'c' && bytes[1][0] == 'a');
    assert(preadv64v2(file, parts, 4, 4, 0) == 2 && bytes[1][0] == 'a');
    fails(preadv64(file, parts, 1, -1), EINVAL);
    fails(pwritev64(file, parts, 1, -1), EINVAL);
}

int main(void)
{
    char path[] = "/tmp/bohr-several-XXXXXX";
    file = mkstemp(path);
    assert(file >= 0 && unlink(path) == 0 && pipe(ends) == 0);
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    closed = dup(file);
    assert(close(closed) == 0);
    several_messages();
    several_parts();
    parts_of_a_file();
    return 0;
}
