// Functions that open, map and ask about files of the kernel return what libc returns; nothing of
// it is a step, and descriptors, the folder and the mask are as at the start in each execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s random -n 3
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static char folder[] = "/tmp/bohr-files-XXXXXX";

static void fails(long result, int error)
{
    assert(result == -1 && errno == error);
    errno = 0;
}

static void closes(int file)
{
    assert(file >= 0 && close(file) == 0);
}

static void opens(void)
{
    int here = open(folder, O_RDONLY | O_DIRECTORY);
    assert(here >= 0 && umask(027) == 022 && umask(022) == 027);
    closes(creat("one", 0600));
    fails(creat("none/one", 0600), ENOENT);
    closes(open64("one", O_RDWR));
    fails(open64("one", O_CREAT | O_EXCL, 0600), EEXIST);
    closes(openat(here, "one", O_RDWR));
    fails(openat(here, "two", O_RDWR), ENOENT);
    closes(openat64(here, "two", O_RDWR | O_CREAT, 0600));
    fails(openat64(-1, "two", O_RDWR), EBADF);
    closes(memfd_create("bohr", MFD_CLOEXEC));
    fails(memfd_create("bohr", ~0u), EINVAL);
    closes(inotify_init());
    closes(inotify_init1(IN_NONBLOCK));
    fails(inotify_init1(-1), EINVAL);
    fails(shm_open("/bohr-file-functions", O_RDWR, 0), ENOENT);
    closes(shm_open("/bohr-file-functions", O_RDWR | O_CREAT, 0600));
    assert(shm_unlink("/bohr-file-functions") == 0);
    char name[] = "part-XXXXXX", bad[] = "part";
    closes(mkstemp(name));
    fails(mkstemp(bad), EINVAL);
    assert(remove(name) == 0);
    fails(remove(name), ENOENT);
    closes(here);
    fails(close(here), EBADF);
}

static void print_list(int file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    assert(vdprintf(file, format, list) == 5);
    va_end(list);
}

static void ask_by_name(void)
{
    struct stat status;
    struct stat64 status64;
    struct statx more;
    assert(stat("one", &status) == 0 && status.st_size == 5);
    assert(lstat("one", &status) == 0 && S_ISREG(status.st_mode));
    assert(fstatat(AT_FDCWD, "one", &status, 0) == 0 && status.st_nlink == 1);
    assert(stat64("one", &status64) == 0 && status64.st_size == 5);
    assert(lstat64("one", &status64) == 0 && S_ISREG(status64.st_mode));
    assert(fstatat64(AT_FDCWD, "one", &status64, 0) == 0 && status64.st_nlink == 1);
    assert(statx(AT_FDCWD, "one", 0, STATX_SIZE, &more) == 0 && more.stx_size == 5);
    fails(stat("none", &status), ENOENT);
    fails(lstat("one/two", &status), ENOTDIR);
    fails(fstatat(-1, "one", &status, 0), EBADF);
    fails(statx(-1, "one", 0, STATX_SIZE, &more), EBADF);
    FILE *held = fopen("two", "w");
    assert(fputs("abc", held) >= 0 && __fpending(held) == 3 && fclose(held) == 0);
}

static void reads_and_writes(void)
{
    char bytes[8] = {0};
    struct stat64 status;
    int file = open64("one", O_RDWR), other = open64("two", O_RDWR);
    print_list(file, "%s", "abcde");
    assert(lseek64(file, 1, SEEK_SET) == 1);
    fails(lseek64(file, 1, 99), EINVAL);
    fails(lseek64(-1, 0, SEEK_SET), EBADF);
    assert(pwrite64(file, "B", 1, 1) == 1);
    fails(pwrite64(file, "B", 1, -1), EINVAL);
    assert(pread64(file, bytes, 8, 1) == 4 && memcmp(bytes, "Bcde", 4) == 0);
    fails(pread64(-1, bytes, 8, 1), EBADF);
    assert(fstat64(file, &status) == 0 && status.st_size == 5 && S_ISREG(status.st_mode));
    fails(fstat64(-1, &status), EBADF);
    ask_by_name();
    assert(fcntl64(file, F_GETFL) & O_RDWR);
    fails(fcntl64(-1, F_GETFD), EBADF);
    off_t from = 0;
    off64_t from64 = 3;
    assert(sendfile(other, file, &from, 3) == 3 && from == 3);
    assert(sendfile64(other, file, &from64, 3) == 2 && from64 == 5);
    assert(pread64(other, bytes, 8, 0) == 5 && memcmp(bytes, "aBcde", 5) == 0);
    fails(sendfile(-1, file, &from, 3), EBADF);
    fails(sendfile64(other, -1, &from64, 3), EBADF);
    fails(splice(file, NULL, other, NULL, 1, 0), EINVAL); /* one of them must be a pipe */
    fails(tee(file, other, 1, 0), EINVAL);
    loff_t start = 1, end = 0;
    assert(copy_file_range(file, &start, other, &end, 2, 0) == 2 && start == 3 && end == 2);
    assert(pread64(other, bytes, 8, 0) == 5 && memcmp(bytes, "Bccde", 5) == 0);
    assert(pwrite64(other, "aB", 2, 0) == 2);
    fails(copy_file_range(file, &start, other, &end, 2, 1), EINVAL);
    fails(copy_file_range(file, &start, -1, &end, 2, 0), EBADF);
    struct iovec part = {.iov_base = bytes, .iov_len = 1};
    fails(vmsplice(file, &part, 1, 0), EBADF);
    struct mmsghdr message = {0};
    fails(sendmmsg(file, &message, 1, 0), ENOTSOCK);
    fails(recvmmsg(file, &message, 1, 0, NULL), ENOTSOCK);
    closes(file);
    closes(other);
}

static void maps(void)
{
    int file = open64("one", O_RDWR);
    char *bytes = mmap64(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    assert(bytes != MAP_FAILED && memcmp(bytes, "aBcde", 5) == 0 && munmap(bytes, 4096) == 0);
    bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(bytes != MAP_FAILED && bytes[4095] == 0 && munmap(bytes, 4096) == 0);
    errno = 0;
    assert(mmap64(NULL, 0, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED && errno == EINVAL);
    errno = 0;
    assert(mmap(NULL, 1, PROT_READ, MAP_PRIVATE, -1, 0) == MAP_FAILED && errno == EBADF);
    closes(file);
}

static void streams(void)
{
    FILE *file = fopen64("one", "r");
    assert(file != NULL && fgetc(file) == 'a');
    file = freopen("two", "r+", file);
    assert(file != NULL && fgetc(file) == 'a' && fclose(file) == 0);
    errno = 0;
    assert(fopen64("none/one", "r") == NULL && errno == ENOENT);
    errno = 0;
    assert(fopen64("one", "x") == NULL && errno == EINVAL);
}

static int no_dots(const struct dirent64 *entry)
{
    return entry->d_name[0] != '.';
}

static void folders(void)
{
    DIR *stream = fdopendir(open(".", O_RDONLY));
    int entries = 0;
    assert(stream != NULL);
    while (readdir64(stream) != NULL)
        entries++;
    assert(entries == 4);
    rewinddir(stream);
    struct dirent entry, *result;
    struct dirent64 entry64, *result64;
    assert(readdir_r(stream, &entry, &result) == 0 && result == &entry);
    assert(readdir64_r(stream, &entry64, &result64) == 0 && result64 == &entry64);
    assert(strcmp(entry.d_name, entry64.d_name) != 0);
    assert(readdir_r(stream, &entry, &result) == 0 && result == &entry);
    assert(readdir64_r(stream, &entry64, &result64) == 0 && result64 == &entry64);
    assert(readdir_r(stream, &entry, &result) == 0 && result == NULL);
    assert(closedir(stream) == 0);
    errno = 0;
    assert(fdopendir(-1) == NULL && errno == EBADF);
    struct dirent64 **list;
    assert(scandir64(".", &list, no_dots, alphasort64) == 2);
    assert(strcmp(list[0]->d_name, "one") == 0 && strcmp(list[1]->d_name, "two") == 0);
    free(list[0]);
    free(list[1]);
    free(list);
    fails(scandir64("none", &list, no_dots, NULL), ENOENT);
}

static void waits_without_waiting(void)
{
    struct epoll_event event = {.events = EPOLLIN}, got;
    struct timespec none = {0};
    sigset_t mask;
    sigemptyset(&mask);
    int set = epoll_create1(0), ready = eventfd(1, 0);
    assert(epoll_pwait(set, &got, 1, 0, &mask) == 0);
    assert(epoll_pwait2(set, &got, 1, &none, &mask) == 0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ready, &event) == 0);
    assert(epoll_pwait(set, &got, 1, -1, NULL) == 1 && got.events == EPOLLIN);
    assert(epoll_pwait2(set, &got, 1, NULL, NULL) == 1 && got.events == EPOLLIN);
    fails(epoll_pwait(set, &got, 0, 0, NULL), EINVAL);
    fails(epoll_pwait2(set, &got, 0, NULL, NULL), EINVAL);
    fails(epoll_pwait(-1, &got, 1, 0, NULL), EBADF);
    assert(close_range((unsigned)set, (unsigned)ready, 0) == 0);
    fails(close(set), EBADF);
    fails(close_range(5, 4, 0), EINVAL);
}

int main(void)
{
    int home = open(".", O_RDONLY);
    umask(022);
    assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    opens();
    reads_and_writes();
    maps();
    streams();
    folders();
    waits_without_waiting();
    assert(unlink("one") == 0 && unlink("two") == 0 && fchdir(home) == 0 && rmdir(folder) == 0);
    fails(fchdir(-1), EBADF);
    int last = dup(home);
    closefrom(home);
    fails(close(last), EBADF);
    return 0;
}
