// splice, tee and vmsplice with one thread: what they return, and each error that Linux defines for them where it can
// be provoked; as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int first[2], second[2], pair[2], file;
static char bytes[16];

static void fails(long result, int error)
{
    if (result != -1 || errno != error)
        fprintf(stderr, "expected %s, got %ld %s\n", strerrorname_np(error), result,
                strerrorname_np(errno));
    assert(result == -1 && errno == error);
    errno = 0;
}

static void wrong_ones(void)
{
    struct iovec part = {bytes, 1};
    long place = 0;
    fails(splice(99, NULL, second[1], NULL, 1, 0), EBADF);
    fails(splice(first[0], NULL, 99, NULL, 1, 0), EBADF);
    fails(splice(first[1], NULL, second[1], NULL, 1, 0), EBADF);
    fails(splice(first[0], NULL, second[0], NULL, 1, 0), EBADF);
    fails(splice(first[0], NULL, second[1], NULL, 1, 1024), EINVAL);
    fails(splice(first[0], NULL, first[1], NULL, 1, 0), EINVAL);
    fails(splice(file, NULL, file, NULL, 1, 0), EINVAL);
    fails(splice(pair[0], NULL, pair[1], NULL, 1, 0), EINVAL);
    fails(splice(first[0], &place, second[1], NULL, 1, 0), ESPIPE);
    fails(splice(file, NULL, second[1], &place, 1, 0), ESPIPE);
    fails(splice(first[0], NULL, second[1], NULL, 1, SPLICE_F_NONBLOCK), EAGAIN);
    fails(tee(99, second[1], 1, 0), EBADF);
    fails(tee(first[1], second[1], 1, 0), EBADF);
    fails(tee(first[0], first[1], 1, 0), EINVAL);
    fails(tee(file, second[1], 1, 0), EINVAL);
    fails(tee(first[0], second[1], 1, SPLICE_F_NONBLOCK), EAGAIN);
    fails(vmsplice(99, &part, 1, 0), EBADF);
    fails(vmsplice(pair[0], &part, 1, 0), EBADF);
    fails(vmsplice(first[1], &part, 1, 1024), EINVAL);
    fails(vmsplice(first[1], &part, 100000, 0), EINVAL);
    assert(splice(first[0], NULL, second[1], NULL, 0, 0) == 0 && tee(first[0], second[1], 0, 0) == 0);
}

static void between_pipes(void)
{
    assert(write(first[1], "abcdef", 6) == 6);
    assert(tee(first[0], second[1], 4, 0) == 4);
    assert(read(second[0], bytes, sizeof bytes) == 4 && memcmp(bytes, "abcd", 4) == 0);
    assert(splice(first[0], NULL, second[1], NULL, 5, SPLICE_F_MOVE) == 5);
    assert(read(second[0], bytes, sizeof bytes) == 5 && memcmp(bytes, "abcde", 5) == 0);
    assert(splice(first[0], NULL, second[1], NULL, 5, 0) == 1);
    assert(read(second[0], bytes, sizeof bytes) == 1 && bytes[0] == 'f');
}

static void with_a_file(void)
{
    long place = 1;
    assert(write(file, "0123456789", 10) == 10 && lseek(file, 2, SEEK_SET) == 2);
    assert(splice(file, NULL, first[1], NULL, 3, 0) == 3 && lseek(file, 0, SEEK_CUR) == 5);
    assert(splice(file, &place, first[1], NULL, 2, 0) == 2 && place == 3);
    assert(lseek(file, 0, SEEK_CUR) == 5);
    assert(read(first[0], bytes, sizeof bytes) == 5 && memcmp(bytes, "23412", 5) == 0);
    assert(write(first[1], "xy", 2) == 2 && splice(first[0], NULL, file, NULL, 10, 0) == 2);
    assert(pread(file, bytes, 4, 4) == 4 && memcmp(bytes, "4xy7", 4) == 0);
    assert(lseek(file, 0, SEEK_END) == 10 && splice(file, NULL, first[1], NULL, 3, 0) == 0);
    off_t at = 3, end = lseek(file, 0, SEEK_CUR);
    assert(write(first[1], "xyz", 3) == 3);
    fails(splice(first[0], NULL, pair[0], &at, 2, 0), EINVAL);
    assert(splice(first[0], NULL, file, &at, 2, 0) == 2 && at == 5 && lseek(file, 0, SEEK_CUR) == end);
    assert(pread(file, bytes, 2, 3) == 2 && memcmp(bytes, "xy", 2) == 0);
    assert(read(first[0], bytes, sizeof bytes) == 1 && bytes[0] == 'z');
}

static void with_a_socket(void)
{
    assert(write(pair[0], "hello", 5) == 5 && splice(pair[1], NULL, first[1], NULL, 4, 0) == 4);
    assert(splice(first[0], NULL, pair[1], NULL, 100, 0) == 4);
    assert(read(pair[0], bytes, sizeof bytes) == 4 && memcmp(bytes, "hell", 4) == 0);
    assert(read(pair[1], bytes, sizeof bytes) == 1 && bytes[0] == 'o');
}

static void with_memory(void)
{
    struct iovec parts[2] = {{"abc", 3}, {"de", 2}}, into[2] = {{bytes, 2}, {bytes + 8, 3}};
    assert(vmsplice(first[1], parts, 2, 0) == 5);
    assert(vmsplice(first[0], into, 2, 0) == 5);
    assert(memcmp(bytes, "ab", 2) == 0 && memcmp(bytes + 8, "cde", 3) == 0);
    assert(vmsplice(first[1], parts, 0, 0) == 0);
}

static void at_the_end(void)
{
    struct iovec part = {"x", 1};
    assert(write(second[1], "x", 1) == 1 && close(first[0]) == 0);
    fails(splice(second[0], NULL, first[1], NULL, 1, 0), EPIPE);
    fails(tee(second[0], first[1], 1, 0), EPIPE);
    fails(vmsplice(first[1], &part, 1, 0), EPIPE);
    assert(close(second[1]) == 0 && pipe(first) == 0);
    assert(splice(second[0], NULL, first[1], NULL, 5, 0) == 1);
    assert(splice(second[0], NULL, first[1], NULL, 5, 0) == 0 && tee(second[0], first[1], 5, 0) == 0);
}

static void *do_nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    pthread_create(&thread, NULL, do_nothing, NULL);
    pthread_join(thread, NULL);
    assert(pipe(first) == 0 && pipe(second) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    file = memfd_create("file", 0);
    wrong_ones();
    between_pipes();
    with_a_file();
    with_a_socket();
    with_memory();
    at_the_end();
    return 0;
}
