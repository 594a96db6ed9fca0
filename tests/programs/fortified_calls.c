// The names that functions have in a program built with _FORTIFY_SOURCE do the same as the others.
// modes: all
// build: gcc -O2
// build: clang -O2
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s random -n 3
// expect: no finding
#define _GNU_SOURCE
#ifndef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 2
#endif
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile size_t four = 4;
static volatile nfds_t one = 1;
static volatile int to_read = O_RDONLY;
static char bytes[16];
static jmp_buf back;

static void print_list(FILE *file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    assert((file == NULL ? vprintf(format, list) : vfprintf(file, format, list)) > 0);
    va_end(list);
}

static void print_list_to(int file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    assert(vdprintf(file, format, list) == 2);
    va_end(list);
}

static int print_text(int bounded, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int size = bounded ? vsnprintf(bytes, four, format, list) : vsprintf(bytes, format, list);
    va_end(list);
    return size;
}

static void texts(void)
{
    assert(snprintf(bytes, four, "%d", 12345) == 5 && strcmp(bytes, "123") == 0);
    assert(sprintf(bytes, "%d", 12345) == 5 && strcmp(bytes, "12345") == 0);
    assert(print_text(1, "%s%d", "ab", 34) == 4 && strcmp(bytes, "ab3") == 0);
    assert(print_text(0, "%s%g", "ab", 0.5) == 5 && strcmp(bytes, "ab0.5") == 0);
}

static void streams(void)
{
    FILE *file = tmpfile();
    assert(printf("%d\n", (int)one) == 2);
    assert(fprintf(file, "%d\n", (int)one) == 2);
    print_list(NULL, "%d\n", 2);
    print_list(file, "%d\n", 2);
    rewind(file);
    assert(fgets(bytes, (int)four, file) == bytes && strcmp(bytes, "1\n") == 0);
    assert(fgets(bytes, (int)four, file) == bytes && strcmp(bytes, "2\n") == 0);
    assert(fgets(bytes, (int)four, file) == NULL && feof(file));
    assert(fclose(file) == 0);
}

static void opened(int file)
{
    assert(file >= 0 && read(file, bytes, four) == 0 && close(file) == 0);
}

static void files(void)
{
    opened(open("/dev/null", to_read));
    opened(open64("/dev/null", to_read));
    opened(openat(AT_FDCWD, "/dev/null", to_read));
    errno = 0;
    assert(open("/nowhere/at all", to_read) == -1 && errno == ENOENT);
    errno = 0;
    assert(openat(-1, "null", to_read) == -1 && errno == EBADF);
    errno = 0;
    assert(read(-1, bytes, four) == -1 && errno == EBADF);
}

static void sockets(void)
{
    int ends[2];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(send(ends[0], "abcdefgh", 8, 0) == 8);
    assert(dprintf(ends[0], "%s", "ij") == 2);
    print_list_to(ends[0], "%s", "kl");
    struct pollfd file = {.fd = ends[1], .events = POLLIN};
    struct timespec now = {0};
    assert(poll(&file, one, -1) == 1 && file.revents == POLLIN);
    assert(ppoll(&file, one, &now, NULL) == 1 && file.revents == POLLIN);
    assert(recv(ends[1], bytes, four, 0) == 4 && memcmp(bytes, "abcd", 4) == 0);
    assert(recvfrom(ends[1], bytes, four, 0, NULL, NULL) == 4 && memcmp(bytes, "efgh", 4) == 0);
    assert(read(ends[1], bytes, four) == 4 && memcmp(bytes, "ijkl", 4) == 0);
    assert(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void jump(void)
{
    volatile int turns = 0;
    if (setjmp(back) == 0) {
        turns++;
        longjmp(back, 1);
    }
    assert(turns == 1);
}

int main(void)
{
    texts();
    streams();
    files();
    sockets();
    jump();
    return 0;
}
