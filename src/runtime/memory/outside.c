#define _GNU_SOURCE
#include "runtime/memory/outside.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/memory/names.h"
#include "runtime/memory/watch.h"
#include "runtime/model/folder.h"
#include "runtime/model/still.h"
#include "runtime/model/stream.h"
#include "runtime/snapshot/snapshot.h"

enum { LISTED_MAX = 32, NUMBERS_MAX = 64 };
enum { PROC = 0x9fa0, SYS = 0x62656572, CGROUP = 0x27e0eb, CGROUP2 = 0x63677270 };
enum {
    BUFFER_OF_USER = 1,
    UNBUFFERED = 2,
    NEVER_READ = 4,
    NEVER_WRITTEN = 8
}; /* _IO_USER_BUF and so on */

struct outside {
    struct list { /* of files; too many: any file may be one of them */
        uint32_t count;
        struct {
            uint64_t device, number;
            uint64_t status; /* when it was last looked at */
        } all[LISTED_MAX];
    } written, looked_at;
    struct list nameless; /* open and without a name when it began */
    struct names names;   /* whose files are compared, whatever is done to them */
    bool listed;          /* what descriptors are open is known */
    uint32_t count;
    int numbers[NUMBERS_MAX];
};

static uint32_t place_in(const struct list *list, const struct stat *file)
{
    uint32_t i = 0;
    while (i < list->count && i < LISTED_MAX &&
           (list->all[i].device != file->st_dev || list->all[i].number != file->st_ino))
        i++;
    return i;
}

static bool has(const struct list *list, const struct stat *file)
{
    return place_in(list, file) < list->count;
}

static void add(struct list *list, const struct stat *file)
{
    if (has(list, file))
        return;
    if (list->count < LISTED_MAX) {
        list->all[list->count].device = file->st_dev;
        list->all[list->count].number = file->st_ino;
    }
    list->count++;
}

static bool look_at(int descriptor, struct stat *file)
{
    return os_call(SYS_fstat, descriptor, (long)file, 0, 0, 0, 0) == 0;
}

/* More than there is room for: as if they changed all the time. */
static void list_descriptors(struct outside *outside)
{
    uint64_t open[DESCRIPTORS_MAX / 64];
    world_list(open);
    outside->count = 0;
    for (int word = 0; word < DESCRIPTORS_MAX / 64; word++)
        for (uint64_t left = open[word]; left != 0; left &= left - 1) {
            int number = word * 64 + __builtin_ctzl(left);
            bool ours = file_of(number) != NULL || world_owns(number);
            if (!ours && outside->count++ < NUMBERS_MAX)
                outside->numbers[outside->count - 1] = number;
        }
    outside->listed = outside->count <= NUMBERS_MAX;
    if (!outside->listed)
        watch_outside();
}

void outside_begin(void)
{
    ex.outside = execution_take(sizeof *ex.outside);
    struct outside *outside = ex.outside;
    outside->written.count = outside->looked_at.count = outside->nameless.count = outside->count =
        0;
    outside->names.count = outside->names.used = 0;
    list_descriptors(outside);
    for (uint32_t i = 0; i < outside->count && i < NUMBERS_MAX; i++) {
        struct stat file;
        if (look_at(outside->numbers[i], &file) && file.st_nlink == 0)
            add(&outside->nameless, &file);
    }
}

void outside_end(void)
{
    ex.outside = NULL;
}

/* What is in it does not change by itself. */
static bool lies_still(int descriptor)
{
    struct statfs system;
    return os_call(SYS_fstatfs, descriptor, (long)&system, 0, 0, 0, 0) == 0 &&
           system.f_type != PROC && system.f_type != SYS && system.f_type != CGROUP &&
           system.f_type != CGROUP2;
}

static bool has_no_name(const struct stat *file)
{
    return file->st_nlink == 0 && !has(&ex.outside->nameless, file);
}

/* What is in it is part of the state. */
static bool is_compared(const struct stat *file)
{
    return S_ISREG(file->st_mode) &&
           (has_no_name(file) || names_find(&ex.outside->names, file) != 0);
}

/* It was both written and looked at, the one of which for the first time: from now on it is
 * compared, by its name, or without one where it is open. */
static void becomes_compared(const struct list *list, const struct stat *file, int folder,
                             const char *path)
{
    struct names *names = &ex.outside->names;
    bool named = S_ISREG(file->st_mode) && file->st_nlink != 0;
    if (named &&
        (path != NULL ? names_add(names, folder, path) : names_add_descriptor(names, folder)))
        return;
    if (named || !S_ISREG(file->st_mode) || list->count >= LISTED_MAX || !has(list, file))
        watch_outside();
}

static bool is_written(const struct stat *file, int folder, const char *path)
{
    struct outside *outside = ex.outside;
    if (is_compared(file))
        return true;
    bool seen = has(&outside->looked_at, file);
    if (seen)
        becomes_compared(&outside->written, file, folder, path);
    add(&outside->written, file);
    return seen;
}

/* There are more ways to change a file than calls that we see. */
static bool is_as_it_was(const struct stat *file)
{
    struct list *list = &ex.outside->looked_at;
    uint64_t status = mix(mix((uint64_t)file->st_size, file->st_mode), file->st_nlink);
    status = mix(mix(status, (uint64_t)file->st_mtim.tv_sec), (uint64_t)file->st_mtim.tv_nsec);
    uint32_t i = place_in(list, file);
    bool same = i < list->count && i < LISTED_MAX && list->all[i].status == status;
    add(list, file);
    if (i < LISTED_MAX)
        list->all[i].status = status;
    return same;
}

static void is_looked_at(const struct stat *file, int folder, const char *path)
{
    struct outside *outside = ex.outside;
    if (is_compared(file))
        return;
    bool known = place_in(&outside->looked_at, file) < LISTED_MAX && has(&outside->looked_at, file);
    bool written = has(&outside->written, file);
    if (written)
        becomes_compared(&outside->looked_at, file, folder, path);
    bool full = !known && outside->looked_at.count >= LISTED_MAX;
    if ((!is_as_it_was(file) && known && !written) || full)
        watch_outside();
}

bool outside_uses_it(int descriptor, enum outside_use use)
{
    struct stat file;
    switch (use) {
    case OUTSIDE_NOTHING:
        return true;
    case OUTSIDE_OPENS:
        ex.outside->listed = false;
        return true;
    case OUTSIDE_LOOKS:
        if (!look_at(descriptor, &file))
            return true; /* it fails */
        if (S_ISREG(file.st_mode) && lies_still(descriptor))
            is_looked_at(&file, descriptor, NULL);
        else
            watch_outside();
        return true;
    case OUTSIDE_WRITES:
        if (!look_at(descriptor, &file))
            return true;
        if (S_ISREG(file.st_mode) || S_ISCHR(file.st_mode))
            return is_written(&file, descriptor, NULL);
        watch_outside();
        return true;
    case OUTSIDE_CHANGES:
        watch_outside();
        ex.outside->listed = false;
        return true;
    }
    return true;
}

static bool is_ours(const FILE *stream)
{
    return stream->_fileno < 0 || file_of(stream->_fileno) != NULL;
}

bool outside_uses_stream_of(const void *stream, enum outside_use use)
{
    const FILE *file = stream;
    bool seen =
        file->_flags & BUFFER_OF_USER && !(file->_flags & UNBUFFERED); /* in memory, by anybody */
    if (is_ours(file))
        return true;
    if (use == OUTSIDE_LOOKS || !(file->_flags & NEVER_READ))
        seen |= outside_uses_it(file->_fileno, OUTSIDE_LOOKS);
    if (!(file->_flags & NEVER_WRITTEN))
        seen |= outside_uses_it(file->_fileno, OUTSIDE_WRITES);
    return seen;
}

void outside_opens(int folder, const char *path, int flags)
{
    struct stat file;
    if (likely(ex.outside == NULL))
        return;
    ex.outside->listed = false;
    bool there = os_call(SYS_newfstatat, folder, (long)path, (long)&file, 0, 0, 0) == 0;
    bool makes = flags & O_CREAT && (flags & O_TMPFILE) != O_TMPFILE && !there;
    if (makes)
        outside_changes_name(folder, path);
    if (there && flags & O_TRUNC && !(flags & O_CREAT && flags & O_EXCL))
        is_written(&file, folder, path);
}

/* Whoever is left with other names of the file could look at what nobody compares any more. */
void outside_changes_name(int folder, const char *path)
{
    struct stat file;
    if (likely(ex.outside == NULL))
        return;
    struct names *names = &ex.outside->names;
    ex.outside->listed = false;
    bool there =
        os_call(SYS_newfstatat, folder, (long)path, (long)&file, AT_SYMLINK_NOFOLLOW, 0, 0) == 0;
    if (!names_add(names, folder, path) ||
        (there && S_ISREG(file.st_mode) && !names_cover(names, &file)))
        watch_outside();
}

/* What lies in a folder moves with it. */
void outside_moves_name(int folder, const char *path)
{
    struct stat file;
    if (likely(ex.outside == NULL))
        return;
    outside_changes_name(folder, path);
    if (os_call(SYS_newfstatat, folder, (long)path, (long)&file, AT_SYMLINK_NOFOLLOW, 0, 0) == 0 &&
        S_ISDIR(file.st_mode))
        watch_outside();
}

void outside_opens_stream(const char *path, const char *mode)
{
    outside_opens(AT_FDCWD, path,
                  mode[0] == 'w'   ? O_CREAT | O_TRUNC
                  : mode[0] == 'a' ? O_CREAT
                                   : 0);
}

/* What is at an address is part of the state, whoever has put it there. What is written there goes
 * to the file. */
void outside_maps(int descriptor, int protection, int flags)
{
    bool anonymous = flags & MAP_ANONYMOUS;
    if (likely(ex.outside == NULL))
        return;
    if ((flags & MAP_FIXED) == MAP_FIXED || (protection & ~(PROT_READ | PROT_WRITE)) != 0)
        watch_outside(); /* in the place of something else, or code */
    if (!anonymous)
        outside_uses_it(descriptor, OUTSIDE_LOOKS);
    if (!anonymous && flags & MAP_SHARED && protection & PROT_WRITE)
        outside_uses_it(descriptor, OUTSIDE_WRITES);
}

void outside_controls(int command)
{
    if (likely(ex.outside == NULL))
        return;
    bool known = command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_GETFD ||
                 command == F_SETFD || command == F_GETFL || command == F_SETFL;
    outside_uses_it(-1, known ? OUTSIDE_OPENS : OUTSIDE_CHANGES);
}

void outside_looks_at(int folder, const char *path, int flags)
{
    struct stat file;
    if (likely(ex.outside == NULL))
        return;
    if (os_call(SYS_newfstatat, folder, (long)path, (long)&file, flags & ~AT_STATX_SYNC_TYPE, 0,
                0) == 0)
        is_looked_at(&file, folder, path);
}

/* The first descriptor that leads there, too. */
static uint64_t first_of(const struct stat *file)
{
    const struct outside *outside = ex.outside;
    struct stat other;
    for (uint32_t i = 0; i < outside->count && i < NUMBERS_MAX; i++)
        if (look_at(outside->numbers[i], &other) && other.st_dev == file->st_dev &&
            other.st_ino == file->st_ino)
            return (uint64_t)outside->numbers[i];
    return 0;
}

static uint64_t descriptor_state(int descriptor)
{
    struct outside *outside = ex.outside;
    struct stat file;
    if (!look_at(descriptor, &file))
        return 0;
    bool without = has_no_name(&file);
    uint32_t name = without ? 0 : names_find(&outside->names, &file);
    uint64_t state =
        without || name != 0 ? mix(name, first_of(&file)) : mix(file.st_dev, file.st_ino);
    long flags = os_call(SYS_fcntl, descriptor, F_GETFL, 0, 0, 0, 0);
    state = mix(state, (uint64_t)flags << 1 |
                           (uint64_t)os_call(SYS_fcntl, descriptor, F_GETFD, 0, 0, 0, 0));
    bool both = has(&outside->looked_at, &file) && has(&outside->written, &file);
    if (S_ISREG(file.st_mode) && (without || (both && file.st_nlink == 0)) &&
        !contents_state(descriptor, &state))
        watch_outside();
    bool seen = without || name != 0 || has(&outside->looked_at, &file);
    bool goes_out = descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO ||
                    (flags & O_ACCMODE) == O_WRONLY || has(&outside->written, &file);
    if (seen)
        state = mix(state, (uint64_t)file.st_size);
    if (seen || !goes_out)
        state = mix(state, (uint64_t)os_call(SYS_lseek, descriptor, 0, SEEK_CUR, 0, 0, 0));
    return state;
}

/* Only those whose bytes lie in a buffer of libc's own. */
static bool is_hidden(const FILE *stream)
{
    struct stat file;
    return !is_ours(stream) && stream->_flags & NEVER_READ && !(stream->_flags & BUFFER_OF_USER) &&
           stream->_mode <= 0 && look_at(stream->_fileno, &file) &&
           (S_ISREG(file.st_mode) || S_ISCHR(file.st_mode)) &&
           !has(&ex.outside->looked_at, &file) && !is_compared(&file);
}

static void hide_stream(struct still *still, FILE *stream)
{
    char **all[] = {&stream->_IO_read_ptr,   &stream->_IO_read_end,  &stream->_IO_read_base,
                    &stream->_IO_write_base, &stream->_IO_write_ptr, &stream->_IO_write_end};
    for (uint32_t i = 0; i < sizeof all / sizeof all[0]; i++)
        still_pointer(still, all[i]);
    still_hide(still, &stream->_offset, sizeof stream->_offset, 0);
    if (stream->_IO_buf_base != NULL)
        still_hide_bytes(still, stream->_IO_buf_base,
                         (size_t)(stream->_IO_buf_end - stream->_IO_buf_base));
}

uint64_t outside_still(struct still *still)
{
    struct outside *outside = ex.outside;
    uint64_t hash = 0;
    if (!outside->listed)
        list_descriptors(outside);
    for (uint32_t i = 0; i < outside->count && i < NUMBERS_MAX; i++)
        hash = mix(hash, descriptor_state(outside->numbers[i]) + (uint64_t)outside->numbers[i]);
    if (!names_state(&outside->names, &hash))
        watch_outside();
    hash = mix(mix(hash, folders_state()), world_mappings_state());
    for (FILE *each = stream_first(); each != NULL; each = each->_chain)
        if (is_hidden(each))
            hide_stream(still, each);
    return hash;
}
