#define _GNU_SOURCE
#include "runtime/memory/mapped.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/os.h"
#include "runtime/engine/alias.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"

static bool was_touched(const char *at)
{
    const struct race *race = &ex.race;
    return race->touched[(size_t)(shadow_of(at) - race->first_cell) / RACE_CHUNK] != 0;
}

/* Of large memory, what was ever accessed counts. The parts are one step, if they are one at all.
 */
static void changes(const char *from, size_t size, bool writes, uintptr_t site)
{
    enum { PART = RACE_CHUNK * GRANULE, SMALL = 16 * PART };
    const char *end = from + size;
    uint32_t before = rt.trace.count;
    if (!called_counts(site) || ex.thread_count == 1 || !rt.race_check)
        return;
    while (from < end) {
        size_t part = PART - (uintptr_t)from % PART;
        part = part < (size_t)(end - from) ? part : (size_t)(end - from);
        if (size <= SMALL || was_touched(from))
            memory_called(from, part, writes, site);
        if (rt.trace.count != before)
            ex.memory.shared_step = rt.trace.count;
        from += part;
    }
}

void mapped_goes(void *at, size_t size, uintptr_t site)
{
    changes(at, size, true, site);
}

void mapped_is_replaced(void *at, size_t size, int flags, uintptr_t site)
{
    if (flags & MAP_FIXED)
        changes(at, size, true, site);
}

void mapped_is_advised(void *at, size_t size, int advice, uintptr_t site)
{
    if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE)
        changes(at, size, true, site);
}

/* A thread that may no longer access memory crashes there, unless the program handles that. */
void mapped_is_protected(void *at, size_t size, int protection, uintptr_t site)
{
    if (disposition_of(SIGSEGV)->sa_handler == SIG_DFL && !(protection & PROT_WRITE))
        changes(at, size, !(protection & PROT_READ), site);
}

void mapped_is_new(void *at, size_t size, int flags)
{
    if (rt.race_check && ex.thread_count > 1 && !(flags & MAP_FIXED))
        race_renew(&ex.race, shadow_of((const void *)alias_name(at)), (const void *)alias_name(at),
                   size);
}

struct file_call { /* places of calls that used a mapped file in this execution */
    struct file_call *next;
    uint32_t site; /* as the race detector keeps it */
};

static bool is_file_call(uint64_t site)
{
    const struct file_call *at = ex.memory.file_calls;
    while (at != NULL && at->site != (uint32_t)site)
        at = at->next;
    return at != NULL;
}

bool memory_by_file_calls(uint64_t site, uint64_t earlier)
{
    return is_file_call(site) && is_file_call(earlier);
}

static void note_call(uint64_t site)
{
    if (is_file_call(site))
        return;
    struct file_call *new = execution_take(sizeof *new);
    *new = (struct file_call){.next = ex.memory.file_calls, .site = (uint32_t)site};
    ex.memory.file_calls = new;
}

static void used(const void *at, size_t size, bool writes, uintptr_t site)
{
    note_call(site);
    memory_called(at, size, writes, site);
}

/* The kernel writes at the end of a file that is open for appending, even where the caller says
 * another offset. */
static long place(int descriptor, long offset, bool writes, const struct stat *file)
{
    if (writes && os_call(SYS_fcntl, descriptor, F_GETFL, 0, 0, 0, 0) & O_APPEND)
        return file->st_size;
    return offset == AT_POSITION ? os_call(SYS_lseek, descriptor, 0, SEEK_CUR, 0, 0, 0) : offset;
}

void mapped_file_used(int descriptor, long offset, size_t size, bool writes, uintptr_t site)
{
    struct stat file;
    if (likely(!alias_shows_files()) || size == 0 || !called_counts(site) ||
        os_call(SYS_fstat, descriptor, (long)&file, 0, 0, 0, 0) != 0)
        return;
    long from = place(descriptor, offset, writes, &file);
    if (from < 0 || (!writes && from >= file.st_size))
        return;
    if (!writes && size > (size_t)(file.st_size - from))
        size = (size_t)(file.st_size - from);
    struct file_part part = {.device = file.st_dev,
                             .inode = file.st_ino,
                             .offset = (uint64_t)from,
                             .size = size,
                             .writes = writes};
    alias_of_file(&part, site, used);
}

static long offset_at(const long *offset)
{
    return offset != NULL ? *offset : AT_POSITION;
}

void mapped_files_used(int from, const long *from_offset, int to, const long *to_offset,
                       size_t size, uintptr_t site)
{
    mapped_file_used(from, offset_at(from_offset), size, false, site);
    mapped_file_used(to, offset_at(to_offset), size, true, site);
}

size_t parts_size(const struct iovec *parts, int count)
{
    size_t size = 0;
    for (int i = 0; i < count; i++)
        size += parts[i].iov_len;
    return size;
}
