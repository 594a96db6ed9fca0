#define _GNU_SOURCE
#include "core/fresh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/os.h"

enum { DEPTH_MAX = 64, LIST_BYTES = 4096, COMPARE_BYTES = 16384, ALL_MINE = 0700 };

struct name { /* an entry of a folder as getdents64 returns it */
    uint64_t inode, offset;
    uint16_t length;
    uint8_t kind;
    char text[];
};

static int look(int folder, const char *path, struct stat *found)
{
    return (int)os_call(SYS_newfstatat, folder, (long)path, (long)found, AT_SYMLINK_NOFOLLOW, 0, 0);
}

static int set_mode(const char *path, uint32_t mode)
{
    return (int)os_call(SYS_fchmodat, AT_FDCWD, (long)path, mode & 07777, 0, 0, 0);
}

static bool is_dots(const char *name)
{
    return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
}

static int open_folder(int folder, const char *path)
{
    return (int)os_call(SYS_openat, folder, (long)path,
                        O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0, 0, 0);
}

static int remove_tree(int folder, const char *path, int depth);

/* Recurses through remove_tree. Repeats until a listing is empty, since removing files may disturb
 * the listing. */
static int empty_folder(int folder, int depth)
{
    char list[LIST_BYTES] __attribute__((aligned(8)));
    bool removed;
    do {
        removed = false;
        os_call(SYS_lseek, folder, 0, SEEK_SET, 0, 0, 0);
        long got;
        while ((got = os_call(SYS_getdents64, folder, (long)list, sizeof list, 0, 0, 0)) > 0)
            for (long at = 0; at < got; at += ((struct name *)(list + at))->length) {
                const struct name *name = (const struct name *)(list + at);
                if (is_dots(name->text))
                    continue;
                int error = remove_tree(folder, name->text, depth + 1);
                if (error != 0)
                    return error;
                removed = true;
            }
        if (got < 0)
            return (int)got;
    } while (removed);
    return 0;
}

static int remove_tree(int folder, const char *path, int depth)
{
    struct stat found;
    int error = look(folder, path, &found);
    if (error == -ENOENT || error == -ENOTDIR)
        return 0;
    if (error != 0)
        return error;
    if (!S_ISDIR(found.st_mode))
        return (int)os_call(SYS_unlinkat, folder, (long)path, 0, 0, 0, 0);
    if (depth == DEPTH_MAX)
        return -ELOOP;
    if ((found.st_mode & ALL_MINE) != ALL_MINE)
        os_call(SYS_fchmodat, folder, (long)path, ALL_MINE, 0, 0, 0);
    int inner = open_folder(folder, path);
    if (inner < 0)
        return inner;
    error = empty_folder(inner, depth);
    os_close(inner);
    if (error != 0)
        return error;
    return (int)os_call(SYS_unlinkat, folder, (long)path, AT_REMOVEDIR, 0, 0, 0);
}

static const char *path_of(const struct fresh_image *image, const struct fresh_entry *entry)
{
    return (const char *)image + entry->path;
}

static const char *last_part(const char *path)
{
    const char *last = path;
    for (; *path != 0; path++)
        if (*path == '/')
            last = path + 1;
    return last;
}

static bool belongs(const struct fresh_image *image, const struct fresh_entry *folder,
                    const char *name)
{
    const struct fresh_entry *end = folder + folder->inside + 1;
    for (const struct fresh_entry *at = folder + 1; at < end; at += at->inside + 1)
        if (strcmp(last_part(path_of(image, at)), name) == 0)
            return true;
    return false;
}

static int remove_strangers(const struct fresh_image *image, const struct fresh_entry *entry)
{
    int folder = open_folder(AT_FDCWD, path_of(image, entry));
    if (folder < 0)
        return folder;
    char list[LIST_BYTES] __attribute__((aligned(8)));
    int error = 0;
    long got;
    while (error == 0 &&
           (got = os_call(SYS_getdents64, folder, (long)list, sizeof list, 0, 0, 0)) != 0) {
        if (got < 0)
            error = (int)got;
        bool removed = false;
        for (long at = 0; at < got && error == 0; at += ((struct name *)(list + at))->length) {
            const struct name *name = (const struct name *)(list + at);
            if (is_dots(name->text) || belongs(image, entry, name->text))
                continue;
            error = remove_tree(folder, name->text, 0);
            removed = true;
        }
        if (removed)
            os_call(SYS_lseek, folder, 0, SEEK_SET, 0, 0, 0);
    }
    os_close(folder);
    return error;
}

static bool holds(int file, const char *bytes, uint64_t size)
{
    char buffer[COMPARE_BYTES];
    for (uint64_t done = 0;;) {
        long got = os_read(file, buffer, sizeof buffer);
        if (got < 0 || (uint64_t)got > size - done)
            return false;
        if (got == 0)
            return done == size;
        if (memcmp(buffer, bytes + done, (size_t)got) != 0)
            return false;
        done += (uint64_t)got;
    }
}

static bool is_as_kept(const struct fresh_image *image, const struct fresh_entry *entry)
{
    int file = (int)os_call(SYS_openat, AT_FDCWD, (long)path_of(image, entry),
                            O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0, 0, 0);
    if (file < 0)
        return false;
    bool same = holds(file, (const char *)image + entry->bytes, entry->size);
    os_close(file);
    return same;
}

static int put_back_file(const struct fresh_image *image, const struct fresh_entry *entry, bool new)
{
    const char *path = path_of(image, entry);
    if (!new &&is_as_kept(image, entry))
        return 0;
    if (!new && !(entry->mode & 0200))
        set_mode(path, entry->mode | 0200);
    int file = (int)os_call(SYS_openat, AT_FDCWD, (long)path,
                            O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (new ? O_CREAT | O_EXCL : 0),
                            ALL_MINE, 0, 0);
    if (file < 0)
        return file;
    int error = (int)os_write(file, (const char *)image + entry->bytes, entry->size);
    if (error == 0)
        error = (int)os_call(SYS_ftruncate, file, (long)entry->size, 0, 0, 0, 0);
    os_close(file);
    return error;
}

static int put_back_link(const struct fresh_image *image, const struct fresh_entry *entry, bool new)
{
    const char *path = path_of(image, entry), *target = (const char *)image + entry->bytes;
    char now[FRESH_PATH_MAX];
    long size = new ? -1 : os_call(SYS_readlink, (long)path, (long)now, sizeof now, 0, 0, 0);
    if (size >= 0 && (uint64_t)size == entry->size && memcmp(now, target, entry->size) == 0)
        return 0;
    if (!new)
        os_call(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
    return (int)os_call(SYS_symlinkat, (long)target, AT_FDCWD, (long)path, 0, 0, 0);
}

static int put_back(const struct fresh_image *image, const struct fresh_entry *entry)
{
    const char *path = path_of(image, entry);
    struct stat found;
    int error = look(AT_FDCWD, path, &found);
    bool there = error == 0;
    if (!there && error != -ENOENT && error != -ENOTDIR)
        return error;
    if (there && (found.st_mode & S_IFMT) != (entry->mode & S_IFMT)) {
        error = remove_tree(AT_FDCWD, path, 0);
        if (error != 0)
            return error;
        there = false;
    }
    if (entry->mode == 0)
        return 0;
    if (S_ISLNK(entry->mode))
        return put_back_link(image, entry, !there);
    if (!there && S_ISDIR(entry->mode)) {
        error = (int)os_call(SYS_mkdirat, AT_FDCWD, (long)path, ALL_MINE, 0, 0, 0);
        if (error != 0)
            return error;
    }
    if (there && found.st_mode != entry->mode)
        set_mode(path, S_ISDIR(entry->mode) ? ALL_MINE : entry->mode);
    return S_ISDIR(entry->mode) ? remove_strangers(image, entry)
                                : put_back_file(image, entry, !there);
}

static int settle(const char *path, const struct fresh_entry *entry)
{
    struct stat found;
    if (entry->mode == 0)
        return 0;
    int error = look(AT_FDCWD, path, &found);
    if (error == 0 && !S_ISLNK(entry->mode) && found.st_mode != entry->mode)
        error = set_mode(path, entry->mode);
    if (error != 0 ||
        (found.st_mtim.tv_sec == entry->seconds && found.st_mtim.tv_nsec == entry->nanoseconds))
        return error;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                {.tv_sec = entry->seconds, .tv_nsec = entry->nanoseconds}};
    return (int)os_call(SYS_utimensat, AT_FDCWD, (long)path, (long)times, AT_SYMLINK_NOFOLLOW, 0,
                        0);
}

int fresh_put_back(const struct fresh_image *image, struct fresh_failure *failure)
{
    for (uint32_t i = 0; i < image->count && failure->error == 0; i++) {
        failure->path = path_of(image, &image->entries[i]);
        failure->error = -put_back(image, &image->entries[i]);
    }
    /* from the last to the first: what lies in a folder changes the folder's time */
    for (uint32_t i = image->count; i-- > 0 && failure->error == 0;) {
        failure->path = path_of(image, &image->entries[i]);
        failure->error = -settle(failure->path, &image->entries[i]);
    }
    return failure->error;
}
