#define _GNU_SOURCE
#include "runtime/snapshot/maps.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/refuse.h"
#include "runtime/snapshot/snapshot.h"

enum { MAPS_SIZE = 1 << 22 };

static char *read_maps(void)
{
    char *text = os_map(0, MAPS_SIZE);
    int fd = os_open("/proc/self/maps");
    if (text == NULL || fd < 0)
        give_up("cannot read /proc/self/maps");
    long size = 0, part;
    while ((part = os_read(fd, text + size, (size_t)(MAPS_SIZE - 1 - size))) > 0)
        size += part;
    os_close(fd);
    text[size] = 0;
    return text;
}

static uintptr_t hex(const char **text)
{
    uintptr_t number = 0;
    for (;; (*text)++) {
        char c = **text;
        if (c >= '0' && c <= '9')
            number = number * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number * 16 + (uintptr_t)(c - 'a') + 10;
        else
            return number;
    }
}

void maps_writable(void (*visit)(char *low, char *high, bool file))
{
    char *text = read_maps();
    for (const char *at = text; *at != 0;) {
        uintptr_t low = hex(&at);
        at++;
        uintptr_t high = hex(&at);
        at++;
        bool wanted = at[1] == 'w' && at[3] == 'p';
        bool special = false, file = false;
        for (; *at != '\n' && *at != 0; at++) {
            special |= at[0] == '[' && at[1] == 'v'; /* vvar, vdso, vsyscall */
            file |= at[0] == '/';
        }
        if (*at == '\n')
            at++;
        if (wanted && !special && low != (uintptr_t)text)
            visit((char *)low, (char *)high, file);
    }
    os_unmap(text, MAPS_SIZE);
}

void maps_present(const char *low, uint32_t count, uint64_t *entries)
{
    long size = (long)(count * sizeof *entries);
    long got = os_call(SYS_pread64, snapshots.page_descriptor, (long)entries, size,
                       (long)((uintptr_t)low / PAGE * sizeof *entries), 0, 0);
    if (got != size)
        give_up("cannot read /proc/self/pagemap");
}

unsigned maps_kernel_threads(void)
{
    struct stat status;
    if (os_call(SYS_newfstatat, AT_FDCWD, (long)"/proc/self/task", (long)&status, 0, 0, 0) != 0)
        return 1;
    return (unsigned)status.st_nlink - 2;
}
