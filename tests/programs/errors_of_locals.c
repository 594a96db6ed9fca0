// Functions that are no steps fail as libc's do: attributes, names, processors, priorities, clocks, timers,
// files, folders, texts, memory, numbers, dates, the environment.
// build: gcc -O1 -fno-builtin
// build: clang -O1 -fno-builtin
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { NOBODY = 99999999, BAD = 99 };
#define LONG_NAME "a name of more than fifteen bytes"

int __xpg_strerror_r(int error, char *text, size_t size);

static char too_long[PATH_MAX + 1];
static const char *volatile no_path;
static char folder[] = "/tmp/bohr-locals-XXXXXX";

/* A call that returns an error number, one that returns -1 or NULL and sets errno. */
#define RETURNS(call, error)                                        \
    do {                                                            \
        int got_ = (call);                                          \
        if (got_ != (error))                                        \
            fprintf(stderr, "%s is %d, not %s\n", #call, got_, #error); \
        assert(got_ == (error));                                    \
    } while (0)
#define FAILS(call, error)                                          \
    do {                                                            \
        errno = 0;                                                  \
        long got_ = (long)(call);                                   \
        int why_ = errno;                                           \
        if (why_ != (error) || (got_ != -1 && got_ != 0))           \
            fprintf(stderr, "%s: %ld, errno %d, not %s\n", #call, got_, why_, #error); \
        assert(why_ == (error) && (got_ == -1 || got_ == 0));       \
    } while (0)

static void attributes(void)
{
    pthread_attr_t thread;
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_rwlockattr_t rwlock;
    pthread_barrierattr_t barrier;
    struct sched_param priority = {.sched_priority = BAD + 1};
    assert(pthread_attr_init(&thread) == 0 && pthread_mutexattr_init(&mutex) == 0);
    assert(pthread_condattr_init(&cond) == 0 && pthread_rwlockattr_init(&rwlock) == 0);
    assert(pthread_barrierattr_init(&barrier) == 0);
    RETURNS(pthread_attr_setdetachstate(&thread, BAD), EINVAL);
    RETURNS(pthread_attr_setinheritsched(&thread, BAD), EINVAL);
    RETURNS(pthread_attr_setschedpolicy(&thread, BAD), EINVAL);
    RETURNS(pthread_attr_setschedparam(&thread, &priority), EINVAL);
    RETURNS(pthread_attr_setscope(&thread, BAD), EINVAL);
    RETURNS(pthread_attr_setscope(&thread, PTHREAD_SCOPE_PROCESS), ENOTSUP);
    RETURNS(pthread_attr_setstacksize(&thread, 1), EINVAL);
    RETURNS(pthread_attr_setstack(&thread, NULL, 1), EINVAL);
    RETURNS(pthread_mutexattr_settype(&mutex, BAD), EINVAL);
    RETURNS(pthread_mutexattr_setprotocol(&mutex, BAD), EINVAL);
    RETURNS(pthread_mutexattr_setrobust(&mutex, BAD), EINVAL);
    RETURNS(pthread_mutexattr_setpshared(&mutex, BAD), EINVAL);
    RETURNS(pthread_mutexattr_setprioceiling(&mutex, 1000), EINVAL);
    RETURNS(pthread_condattr_setclock(&cond, BAD), EINVAL);
    RETURNS(pthread_condattr_setpshared(&cond, BAD), EINVAL);
    RETURNS(pthread_rwlockattr_setpshared(&rwlock, BAD), EINVAL);
    RETURNS(pthread_rwlockattr_setkind_np(&rwlock, BAD), EINVAL);
    RETURNS(pthread_barrierattr_setpshared(&barrier, BAD), EINVAL);
    RETURNS(pthread_setconcurrency(-1), EINVAL);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(100, &set);
    assert(pthread_attr_setaffinity_np(&thread, sizeof set, &set) == 0);
    RETURNS(pthread_attr_getaffinity_np(&thread, 8, &set), EINVAL);
    assert(pthread_attr_destroy(&thread) == 0);
}

static void objects(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_barrier_t barrier;
    sem_t semaphore;
    int ceiling;
    RETURNS(pthread_mutex_getprioceiling(&mutex, &ceiling), EINVAL);
    RETURNS(pthread_mutex_consistent(&mutex), EINVAL);
    RETURNS(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
    FAILS(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
    RETURNS(pthread_key_delete(PTHREAD_KEYS_MAX), EINVAL);
    RETURNS(pthread_setspecific(PTHREAD_KEYS_MAX, folder), EINVAL);
    assert(pthread_getspecific(PTHREAD_KEYS_MAX) == NULL);
}

static void threads(void)
{
    pthread_t me = pthread_self();
    cpu_set_t none, all;
    char name[16];
    struct sched_param priority = {.sched_priority = BAD + 1};
    CPU_ZERO(&none);
    RETURNS(pthread_setname_np(me, LONG_NAME), ERANGE);
    RETURNS(pthread_getname_np(me, name, 1), ERANGE);
    RETURNS(pthread_setaffinity_np(me, sizeof none, &none), EINVAL);
    RETURNS(pthread_getaffinity_np(me, 1, &all), EINVAL);
    RETURNS(pthread_setschedparam(me, BAD, &priority), EINVAL);
    RETURNS(pthread_setschedparam(me, SCHED_FIFO, &priority), EINVAL);
    RETURNS(pthread_setschedprio(me, BAD + 1), EINVAL);
    FAILS(sched_setaffinity(0, sizeof none, &none), EINVAL);
    FAILS(sched_getaffinity(0, 1, &all), EINVAL);
    FAILS(sched_getaffinity(NOBODY, sizeof all, &all), ESRCH);
    FAILS(sched_setaffinity(NOBODY, sizeof none, &none), ESRCH);
    FAILS(sched_get_priority_max(BAD), EINVAL);
    FAILS(sched_getscheduler(NOBODY), ESRCH);
    FAILS(getpgid(NOBODY), ESRCH);
    FAILS(getsid(NOBODY), ESRCH);
    FAILS(setpgid(0, -1), EINVAL);
}

static void clocks(void)
{
    struct timespec time;
    struct itimerval value;
    struct itimerspec timer_value;
    clockid_t clock;
    timer_t timer, gone;
    struct sigevent event = {.sigev_notify = BAD};
    stack_t stack = {.ss_sp = folder, .ss_size = 1}, bad = {.ss_flags = BAD};
    char bytes[300];
    FAILS(clock_gettime(BAD, &time), EINVAL);
    FAILS(clock_getres(BAD, &time), EINVAL);
    RETURNS(clock_getcpuclockid(NOBODY, &clock), ESRCH);
    assert(timespec_get(&time, BAD) == 0);
    FAILS(getitimer(BAD, &value), EINVAL);
    FAILS(timer_create(BAD, NULL, &timer), EINVAL);
    FAILS(timer_create(CLOCK_MONOTONIC, &event, &timer), EINVAL);
    assert(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0 && timer_delete(timer) == 0);
    memcpy(&gone, &timer, sizeof gone);
    FAILS(timer_gettime(gone, &timer_value), EINVAL);
    FAILS(timer_getoverrun(gone), EINVAL);
    FAILS(sigaltstack(&stack, NULL), ENOMEM);
    FAILS(sigaltstack(&bad, NULL), EINVAL);
    FAILS(getrandom(bytes, 1, ~0u), EINVAL);
    FAILS(getentropy(bytes, 257), EIO);
}

/* In a folder with a file one/file and a link loop to itself. */
static void paths(void)
{
    char to[PATH_MAX];
    FAILS(realpath("none", to), ENOENT);
    FAILS(realpath("", to), ENOENT);
    FAILS(realpath(no_path, to), EINVAL);
    FAILS(realpath("one/file/none", to), ENOTDIR);
    FAILS(realpath("loop", to), ELOOP);
    FAILS(realpath(too_long, to), ENAMETOOLONG);
    FAILS(readlink("one", to, sizeof to), EINVAL);
    FAILS(readlink("none", to, sizeof to), ENOENT);
    FAILS(readlink("one/file/none", to, sizeof to), ENOTDIR);
    FAILS(readlink("loop/none", to, sizeof to), ELOOP);
    FAILS(readlink(too_long, to, sizeof to), ENAMETOOLONG);
    FAILS(readlinkat(-1, "none", to, sizeof to), EBADF);
    FAILS(readlinkat(AT_FDCWD, "one", to, sizeof to), EINVAL);
    FAILS(readlinkat(AT_FDCWD, "none", to, sizeof to), ENOENT);
    FAILS(readlinkat(AT_FDCWD, "one/file/none", to, sizeof to), ENOTDIR);
    FAILS(readlinkat(AT_FDCWD, "loop/none", to, sizeof to), ELOOP);
    FAILS(readlinkat(AT_FDCWD, too_long, to, sizeof to), ENAMETOOLONG);
    FAILS(access("none", F_OK), ENOENT);
    FAILS(access("one/file/none", F_OK), ENOTDIR);
    FAILS(access("loop", F_OK), ELOOP);
    FAILS(access(too_long, F_OK), ENAMETOOLONG);
    FAILS(access("one", BAD), EINVAL);
    FAILS(getcwd(to, 0), EINVAL);
    FAILS(getcwd(to, 1), ERANGE);
}

static void files(void)
{
    char name[] = "name", *bad = "none/one";
    struct dirent **list;
    assert(mkdtemp(folder) != NULL && chdir(folder) == 0 && mkdir("one", 0700) == 0);
    assert(close(creat("one/file", 0600)) == 0);
    FAILS(mkdir("one", 0700), EEXIST);
    FAILS(mkdir(bad, 0700), ENOENT);
    FAILS(mkdirat(-1, "two", 0700), EBADF);
    FAILS(rmdir("one"), ENOTEMPTY);
    FAILS(rmdir("one/file"), ENOTDIR);
    FAILS(rmdir("."), EINVAL);
    FAILS(unlink("none"), ENOENT);
    FAILS(unlink("one"), EISDIR);
    FAILS(unlinkat(-1, "none", 0), EBADF);
    struct stat status;
    struct statx more;
    memset(too_long, 'x', PATH_MAX);
    symlink("loop", "loop");
    FAILS(stat("none", &status), ENOENT);
    FAILS(stat("one/file/none", &status), ENOTDIR);
    FAILS(stat("loop", &status), ELOOP);
    FAILS(stat(too_long, &status), ENAMETOOLONG);
    FAILS(lstat("none", &status), ENOENT);
    FAILS(lstat("one/file/none", &status), ENOTDIR);
    FAILS(lstat(too_long, &status), ENAMETOOLONG);
    FAILS(lstat("loop/none", &status), ELOOP);
    FAILS(fstatat(AT_FDCWD, "none", &status, 0), ENOENT);
    FAILS(fstatat(AT_FDCWD, "one/file/none", &status, 0), ENOTDIR);
    FAILS(fstatat(AT_FDCWD, "loop", &status, 0), ELOOP);
    FAILS(fstatat(AT_FDCWD, too_long, &status, 0), ENAMETOOLONG);
    FAILS(fstatat(-1, "none", &status, 0), EBADF);
    FAILS(fstatat(AT_FDCWD, "one", &status, 1 << 30), EINVAL);
    FAILS(statx(AT_FDCWD, "none", 0, STATX_SIZE, &more), ENOENT);
    FAILS(statx(AT_FDCWD, "one/file/none", 0, STATX_SIZE, &more), ENOTDIR);
    FAILS(statx(AT_FDCWD, "loop", 0, STATX_SIZE, &more), ELOOP);
    FAILS(statx(AT_FDCWD, too_long, 0, STATX_SIZE, &more), ENAMETOOLONG);
    FAILS(statx(-1, "none", 0, STATX_SIZE, &more), EBADF);
    FAILS(statx(AT_FDCWD, "one", 1 << 30, STATX_SIZE, &more), EINVAL);
    paths();
    assert(unlink("loop") == 0);
    FAILS(rename("none", "two"), ENOENT);
    FAILS(rename("one", "one/two"), EINVAL);
    FAILS(renameat(-1, "none", AT_FDCWD, "two"), EBADF);
    FAILS(link("none", "two"), ENOENT);
    FAILS(link("one/file", "one/file"), EEXIST);
    FAILS(linkat(-1, "none", AT_FDCWD, "two", 0), EBADF);
    FAILS(symlink("one", "one"), EEXIST);
    FAILS(symlinkat("one", -1, "two"), EBADF);
    FAILS(mkfifo("one", 0600), EEXIST);
    FAILS(mkfifoat(-1, "two", 0600), EBADF);
    FAILS(mknod("one", S_IFREG | 0600, 0), EEXIST);
    FAILS(mknodat(-1, "two", S_IFREG | 0600, 0), EBADF);
    FAILS(mkdtemp(name), EINVAL);
    FAILS(mkstemp(name), EINVAL);
    FAILS(chdir("none"), ENOENT);
    FAILS(chdir("one/file"), ENOTDIR);
    FAILS(fchdir(-1), EBADF);
    FAILS(opendir("none"), ENOENT);
    FAILS(opendir("one/file"), ENOTDIR);
    FAILS(fdopendir(-1), EBADF);
    FAILS(scandir("none", &list, NULL, NULL), ENOENT);
    FAILS(fopen("none", "r"), ENOENT);
    FAILS(fopen("one", "w"), EISDIR);
    FAILS(open("one/file/x", O_RDONLY), ENOTDIR);
    FAILS(openat(-1, "none", O_RDONLY), EBADF);
    FAILS(openat(AT_FDCWD, "none", O_RDONLY), ENOENT);
    FAILS(openat64(-1, "none", O_RDONLY), EBADF);
    FAILS(open64("none", O_RDONLY), ENOENT);
    FAILS(open64("one", O_WRONLY), EISDIR);
    FAILS(creat(bad, 0600), ENOENT);
    FAILS(creat("one", 0600), EISDIR);
    FAILS(scandir64("none", (void *)&list, NULL, NULL), ENOENT);
    FAILS(close_range(2, 1, 0), EINVAL);
    FAILS(close_range(100, 200, 1 << 10), EINVAL);
    FAILS(shm_open("/bohr/none/there", O_RDWR, 0600), EINVAL);
    FAILS(fdopen(-1, "r"), EBADF);
    assert(unlink("one/file") == 0 && rmdir("one") == 0 && chdir("/") == 0 && rmdir(folder) == 0);
}

static void texts(void)
{
    wchar_t wide[4] = {0x2603, 0};
    char bytes[4] = {(char)0xff, 0}, out[8], *in = bytes, *to = out;
    size_t left = 1, room = sizeof out;
    iconv_t conversion = iconv_open("UTF-16LE", "UTF-8");
    assert(conversion != (iconv_t)-1);
    FAILS((long)mbstowcs(wide + 2, "\xff", 1), EILSEQ);
    FAILS((long)wcstombs(out, wide, 4), EILSEQ);
    FAILS((long)iconv(conversion, &in, &left, &to, &room), EILSEQ);
    strcpy(bytes, "\xe2\x98");
    in = bytes;
    left = 2;
    FAILS((long)iconv(conversion, &in, &left, &to, &room), EINVAL);
    in = "text";
    left = 4;
    room = 2;
    FAILS((long)iconv(conversion, &in, &left, &to, &room), E2BIG);
    assert(iconv_close(conversion) == 0);
}

static void dates(void)
{
    time_t late = LONG_MAX;
    struct tm date = {.tm_year = INT_MAX, .tm_mon = 12, .tm_mday = 1};
    char text[64];
    FAILS(gmtime(&late), EOVERFLOW);
    FAILS(gmtime_r(&late, &date), EOVERFLOW);
    FAILS(localtime(&late), EOVERFLOW);
    FAILS(localtime_r(&late, &date), EOVERFLOW);
    errno = 0; /* glibc hands the missing date on, which is EINVAL there */
    assert(ctime(&late) == NULL && (errno == EINVAL || errno == EOVERFLOW));
    errno = 0;
    assert(ctime_r(&late, text) == NULL && (errno == EINVAL || errno == EOVERFLOW));
    date = (struct tm){.tm_year = INT_MAX, .tm_mon = 12, .tm_mday = 1};
    FAILS(asctime(&date), EOVERFLOW);
    FAILS(asctime_r(&date, text), EOVERFLOW);
    FAILS(mktime(&date), EOVERFLOW);
    FAILS(timegm(&date), EOVERFLOW);
}

static void system_and_environment(void)
{
    struct in_addr address = {0};
    struct rlimit limit;
    struct rlimit64 limit64;
    sigset_t set;
    char text[64];
    FAILS(setenv("", "1", 1), EINVAL);
    FAILS(setenv("A=B", "1", 1), EINVAL);
    FAILS(unsetenv(""), EINVAL);
    FAILS(unsetenv("A=B"), EINVAL);
    FAILS(inet_pton(BAD, "1.2.3.4", &address), EAFNOSUPPORT);
    FAILS(inet_ntop(BAD, &address, text, sizeof text), EAFNOSUPPORT);
    FAILS(inet_ntop(AF_INET, &address, text, 2), ENOSPC);
    FAILS(gethostname(text, 1), ENAMETOOLONG);
    FAILS(getrlimit(BAD, &limit), EINVAL);
    FAILS(getrlimit64(BAD, &limit64), EINVAL);
    RETURNS(__xpg_strerror_r(NOBODY, text, sizeof text), EINVAL);
    RETURNS(__xpg_strerror_r(EINVAL, text, 2), ERANGE);
    assert(sigemptyset(&set) == 0);
    FAILS(sigaddset(&set, BAD), EINVAL);
    FAILS(sigdelset(&set, BAD), EINVAL);
    FAILS(sigismember(&set, BAD), EINVAL);
}

static void memory_and_numbers(void)
{
    void *block;
    volatile size_t all = SIZE_MAX;
    RETURNS(posix_memalign(&block, 3, 8), EINVAL);
    RETURNS(posix_memalign(&block, 16, all), ENOMEM);
    FAILS(malloc(all), ENOMEM);
    FAILS(calloc(all, 2), ENOMEM);
    FAILS(realloc(NULL, all), ENOMEM);
    FAILS(reallocarray(NULL, all, 2), ENOMEM);
    FAILS(aligned_alloc(16, all), ENOMEM);
    FAILS(memalign(16, all), ENOMEM);
    FAILS(valloc(all), ENOMEM);
    FAILS(mmap64(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EINVAL);
    FAILS(munmap(folder + 1, 4096), EINVAL);
    FAILS(mprotect((void *)1, 4096, PROT_READ), EINVAL);
    FAILS(mprotect((void *)4096, 4096, PROT_READ), ENOMEM);
    FAILS(mremap((void *)1, 4096, 8192, 0), EINVAL);
    FAILS(mremap((void *)4096, 4096, 8192, 0), EFAULT);
    FAILS(memfd_create("name", ~0u), EINVAL);
    FAILS(shmat(-1, NULL, 0), EINVAL);
    FAILS(shmdt((void *)4096), EINVAL);
    FAILS(inotify_init1(BAD), EINVAL);
    FAILS(setrlimit(BAD, &(struct rlimit){0}), EINVAL);
    FAILS(setrlimit64(BAD, &(struct rlimit64){0}), EINVAL);
    FAILS(prlimit(0, BAD, NULL, NULL), EINVAL);
    FAILS(prlimit(NOBODY, RLIMIT_NOFILE, NULL, NULL), ESRCH);
    FAILS(prlimit64(0, BAD, NULL, NULL), EINVAL);
    FAILS(prlimit64(NOBODY, RLIMIT_NOFILE, NULL, NULL), ESRCH);
    FAILS(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EINVAL);
    errno = 0;
    assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtoul("99999999999999999999", NULL, 10) == ULONG_MAX && errno == ERANGE);
    FAILS(strtol("1", NULL, 99), EINVAL);
    FAILS(strtoul("1", NULL, 99), EINVAL);
    FAILS(strtoll("1", NULL, 99), EINVAL);
    FAILS(strtoull("1", NULL, 99), EINVAL);
    errno = 0;
    assert(strtoll("99999999999999999999", NULL, 10) == LLONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtoull("99999999999999999999", NULL, 10) == ULLONG_MAX && errno == ERANGE);
    errno = 0;
    assert(strtod("1e999", NULL) == HUGE_VAL && errno == ERANGE);
    errno = 0;
    assert(strtof("1e999", NULL) == HUGE_VALF && errno == ERANGE);
    errno = 0;
    assert(strtold("1e99999", NULL) == HUGE_VALL && errno == ERANGE);
    assert(atexit((void (*)(void))sync) == 0);
}

int main(void)
{
    attributes();
    objects();
    threads();
    clocks();
    files();
    texts();
    dates();
    system_and_environment();
    memory_and_numbers();
    return 0;
}
