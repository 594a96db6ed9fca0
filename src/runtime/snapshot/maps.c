#define _GNU_SOURCE
#include "runtime/snapshot/maps.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/plan.h"
#include "runtime/engine/refuse.h"
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

struct line {
    uintptr_t low, high;
    unsigned rights;
    bool private, special, file;
};

static const char *read_line(const char *at, struct line *out)
{
    *out = (struct line){.low = hex(&at)};
    at++;
    out->high = hex(&at);
    at++;
    out->rights = (at[0] == 'r') | (at[1] == 'w') << 1 | (at[2] == 'x') << 2;
    out->private = at[3] == 'p';
    for (; *at != '\n' && *at != 0; at++) {
        out->special |= at[0] == '[' && at[1] == 'v'; /* vvar, vdso, vsyscall */
        out->file |= at[0] == '/';
    }
    return *at == '\n' ? at + 1 : at;
}

void maps_writable(void (*visit)(char *low, char *high, bool file))
{
    char *text = read_maps();
    struct line line;
    for (const char *at = text; *at != 0;) {
        at = read_line(at, &line);
        if (line.rights & 2 && line.private && !line.special && line.low != (uintptr_t)text)
            visit((char *)line.low, (char *)line.high, line.file);
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
