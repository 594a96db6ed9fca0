/* System calls without libc. They return -errno and leave errno alone. */
#ifndef BASE_OS_H
#define BASE_OS_H

#include <stddef.h>
#include <stdint.h>

static inline long os_call(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

int os_open(const char *path); /* opens read-only, close-on-exec */
void os_close(int fd);
long os_read(int fd, void *bytes, size_t size);
long os_write(int fd, const void *bytes, size_t size); /* writes all bytes, or returns -errno */
/* Maps private zeroed memory without reserve; NULL: failure. */
void *os_map(uintptr_t at, size_t size);
void *os_map_file(uintptr_t at, size_t size, int fd); /* maps a file, shared; NULL: failure */
void os_unmap(void *at, size_t size);
uint64_t os_nanoseconds(void);     /* reads the monotonic clock */
uint64_t os_cpu_nanoseconds(void); /* CPU time of this process, whatever the load of the machine */
_Noreturn void os_exit(int status);

#endif
