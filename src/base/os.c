#include "base/os.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

int os_open(const char *path)
{
    return (int)os_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
}

void os_close(int fd)
{
    os_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

long os_read(int fd, void *bytes, size_t size)
{
    return os_call(SYS_read, fd, (long)bytes, (long)size, 0, 0, 0);
}

long os_write(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        long done = os_call(SYS_write, fd, (long)at, (long)size, 0, 0, 0);
        if (done < 0)
            return done;
        at += done;
        size -= (size_t)done;
    }
    return 0;
}

static void *map(uintptr_t at, size_t size, int flags, int fd)
{
    int fixed = at != 0 ? MAP_FIXED_NOREPLACE : 0;
    long got = os_call(SYS_mmap, (long)at, (long)size, PROT_READ | PROT_WRITE,
                       flags | fixed | MAP_NORESERVE, fd, 0);
    return got < 0 && got > -4096 ? NULL : (void *)got;
}

void *os_map(uintptr_t at, size_t size)
{
    return map(at, size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

void *os_map_file(uintptr_t at, size_t size, int fd)
{
    return map(at, size, MAP_SHARED, fd);
}

void os_unmap(void *at, size_t size)
{
    os_call(SYS_munmap, (long)at, (long)size, 0, 0, 0, 0);
}

static uint64_t nanoseconds_of(clockid_t clock)
{
    struct timespec now = {0};
    os_call(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t os_nanoseconds(void)
{
    return nanoseconds_of(CLOCK_MONOTONIC);
}

uint64_t os_cpu_nanoseconds(void)
{
    return nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

_Noreturn void os_exit(int status)
{
    for (;;)
        os_call(SYS_exit_group, status, 0, 0, 0, 0, 0);
}
