// Results of sendfile and copy_file_range for pipes and sockets; the same as without Bohr. Two threads send a file
// each over one socket: whole files, in either order.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// expect: complete == true
// run: -s dfs -- two
// expect: no finding
// expect: complete == true
// run: -s dfs -- order
// expect: finding assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PIPE_SIZE = 65536, LONG = 70000 };

static char bytes[LONG];
static int sockets[2];

static void fails(long result, int error)
{
    assert(result == -1);
    assert(errno == error);
    errno = 0;
}

static int make(const char *name, const char *text, size_t size)
{
    int file = memfd_create(name, 0);
    assert(file >= 0 && write(file, text, size) == (ssize_t)size);
    assert(lseek(file, 0, SEEK_SET) == 0);
    return file;
}

static void sends(void)
{
    int file = make("sent", "hello", 5), ends[2];
    off_t offset = 1;
    assert(pipe(ends) == 0);
    assert(sendfile(ends[1], file, &offset, 2) == 2 && offset == 3);
    assert(read(ends[0], bytes, 9) == 2 && memcmp(bytes, "el", 2) == 0);
    assert(sendfile(sockets[0], file, NULL, 2) == 2 && lseek(file, 0, SEEK_CUR) == 2);
    assert(sendfile64(sockets[0], file, NULL, 9) == 3 && lseek(file, 0, SEEK_CUR) == 5);
    assert(syscall(SYS_sendfile, sockets[0], file, NULL, 9) == 0);
    assert(recv(sockets[1], bytes, 9, 0) == 5 && memcmp(bytes, "hello", 5) == 0);
    assert(sendfile(ends[1], file, &offset, 0) == 0 && offset == 3);
    close(ends[0]);
    close(ends[1]);
    close(file);
}

static void errors(void)
{
    int file = make("sent", "hello", 5), ends[2], event = eventfd(0, 0);
    off_t offset = 0, before = -1;
    assert(pipe2(ends, O_NONBLOCK) == 0);
    fails(sendfile(ends[1], ends[0], NULL, 1), EINVAL);
    fails(sendfile(ends[1], ends[0], &offset, 1), ESPIPE);
    fails(sendfile(sockets[0], sockets[1], NULL, 1), EINVAL);
    fails(sendfile(event, file, &offset, 1), EINVAL);
    fails(sendfile(ends[0], file, &offset, 1), EBADF);
    fails(sendfile(file, ends[0], NULL, 1), EINVAL);
    fails(sendfile(file, ends[1], NULL, 1), EBADF);
    fails(sendfile(ends[1], 99, NULL, 1), EBADF);
    fails(sendfile64(99, file, NULL, 1), EBADF);
    fails(sendfile64(ends[1], file, &before, 1), EINVAL);
    fails(copy_file_range(file, NULL, ends[1], NULL, 1, 0), EINVAL);
    fails(copy_file_range(sockets[0], NULL, file, NULL, 1, 0), EINVAL);
    fails(syscall(SYS_copy_file_range, ends[0], NULL, file, NULL, 1, 0), EINVAL);
    assert(ftruncate(file, LONG) == 0);
    assert(sendfile(ends[1], file, &offset, LONG) == PIPE_SIZE && offset == PIPE_SIZE);
    fails(sendfile(ends[1], file, &offset, LONG), EAGAIN);
    fails(sendfile64(ends[1], file, &offset, LONG), EAGAIN);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    fails(sendfile(ends[1], file, &offset, 1), EPIPE);
    fails(sendfile64(ends[1], file, &offset, 1), EPIPE);
    assert(offset == PIPE_SIZE);
    close(ends[1]);
    close(event);
    close(file);
}

static void *send_one(void *text)
{
    int file = make(text, text, strlen(text));
    assert(sendfile(sockets[0], file, NULL, strlen(text)) == (ssize_t)strlen(text));
    return NULL;
}

static void send_two(int ordered)
{
    pthread_t threads[2];
    static char *texts[2] = {"first", "other"};
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&threads[i], NULL, send_one, texts[i]) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(threads[i], NULL) == 0);
    assert(read(sockets[1], bytes, LONG) == 10);
    assert(memcmp(bytes, "firstother", 10) == 0 ||
           (!ordered && memcmp(bytes, "otherfirst", 10) == 0));
}

int main(int argc, char **argv)
{
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    if (argc > 1) {
        send_two(strcmp(argv[1], "order") == 0);
        return 0;
    }
    sends();
    errors();
    return 0;
}
