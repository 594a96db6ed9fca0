/* Which pages were touched is read from /proc/self/pagemap. It is opened each time: the descriptor
 * of a parent process speaks of the parent. Where it cannot be read all pages count as touched. */
#include "runtime/heap/sparse.h"

#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/plan.h"

enum { FEW = 1 << 16 /* bytes: not worth the system calls */, CHUNK = 512 };

/* Up to the end of this page. */
static size_t rest_of_page(const char *at, size_t left)
{
    size_t rest = PAGE - (uintptr_t)at % PAGE;
    return rest < left ? rest : left;
}

/* An entry of swapped memory may stand for a page that is only protected: the page itself tells. */
static bool may_have_content(uint64_t entry)
{
    return entry >> 62 != 0;
}

static bool has_content(const char *at, size_t size)
{
    uint64_t all = 0, word;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        all |= word;
    }
    for (; size > 0; at++, size--)
        all |= (uint8_t)*at;
    return all != 0;
}

static bool read_entries(int descriptor, const char *at, size_t count, uint64_t *entries)
{
    long size = (long)(count * sizeof *entries);
    return os_call(SYS_pread64, descriptor, (long)entries, size,
                   (long)((uintptr_t)at / PAGE * sizeof *entries), 0, 0) == size;
}

static void each_touched(const char *from, size_t size, void (*visit)(char *, const char *, size_t),
                         char *to)
{
    int descriptor = os_open("/proc/self/pagemap");
    uint64_t entries[CHUNK];
    while (size > 0) {
        size_t pages = ((uintptr_t)from % PAGE + size + PAGE - 1) / PAGE;
        size_t count = pages < CHUNK ? pages : CHUNK;
        bool known = descriptor >= 0 && read_entries(descriptor, from, count, entries);
        for (size_t i = 0; i < count; i++) {
            size_t part = rest_of_page(from, size);
            if ((!known || may_have_content(entries[i])) && has_content(from, part))
                visit(to, from, part);
            from += part;
            to += part;
            size -= part;
        }
    }
    if (descriptor >= 0)
        os_close(descriptor);
}

static void copy_part(char *to, const char *from, size_t size)
{
    memcpy(to, from, size);
}

static void clear_part(char *to, const char *from, size_t size)
{
    memset(to, 0, size);
}

void sparse_copy(char *to, const char *from, size_t size)
{
    if (size <= FEW)
        memcpy(to, from, size);
    else
        each_touched(from, size, copy_part, to);
}

void sparse_clear(char *at, size_t size)
{
    if (size <= FEW)
        memset(at, 0, size);
    else
        each_touched(at, size, clear_part, at);
}
