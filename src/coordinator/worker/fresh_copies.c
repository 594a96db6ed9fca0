#define _GNU_SOURCE
#include "coordinator/worker/fresh_copies.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/os.h"
#include "coordinator/text.h"

#define CONTENTS_MAX (1ul << 30)

struct keeper {
    /* until publish() their offsets count from the end of the entries */
    struct fresh_entry *entries;
    uint32_t count, capacity;
    FILE *file; /* paths and contents */
    char *bytes;
    size_t size;
    struct problem *why;
};

static uint64_t keep_bytes(struct keeper *keeper, const char *bytes, size_t count)
{
    long at = ftell(keeper->file);
    CHECK(at >= 0);
    fwrite(bytes, 1, count, keeper->file);
    fputc(0, keeper->file);
    return (uint64_t)at;
}

static struct fresh_entry *new_entry(struct keeper *keeper, const char *path)
{
    if (keeper->count == keeper->capacity) {
        keeper->capacity = 2 * keeper->capacity + 64;
        keeper->entries = realloc(keeper->entries, keeper->capacity * sizeof *keeper->entries);
        CHECK(keeper->entries != NULL);
    }
    struct fresh_entry *entry = &keeper->entries[keeper->count++];
    *entry = (struct fresh_entry){.path = keep_bytes(keeper, path, strlen(path))};
    return entry;
}

static bool cannot(struct keeper *keeper, const char *path, int error)
{
    return problem_is(keeper->why, "--fresh cannot keep", path, error);
}

static bool keep_file(struct keeper *keeper, struct fresh_entry *entry, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return cannot(keeper, path, errno);
    size_t count;
    char *bytes = text_of_file(file, &count);
    int error = errno;
    close(file);
    if (bytes == NULL)
        return cannot(keeper, path, error);
    if ((uint64_t)ftell(keeper->file) + count > CONTENTS_MAX)
        return problem_is(keeper->why, "--fresh keeps at most 1 GiB of files", path, 0);
    entry->size = count;
    entry->bytes = keep_bytes(keeper, bytes, count);
    return true;
}

static bool keep_link(struct keeper *keeper, struct fresh_entry *entry, const char *path)
{
    char target[PATH_MAX];
    ssize_t count = readlink(path, target, sizeof target);
    if (count < 0)
        return cannot(keeper, path, errno);
    entry->size = (uint64_t)count;
    entry->bytes = keep_bytes(keeper, target, (size_t)count);
    return true;
}

static bool keep(struct keeper *keeper, const char *path, bool may_miss);

static bool keep_folder(struct keeper *keeper, uint32_t at, const char *path)
{
    struct dirent **names;
    int count = scandir(path, &names, NULL, alphasort);
    if (count < 0)
        return cannot(keeper, path, errno);
    bool good = true;
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        if (good && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            good = keep(keeper, text_print("%s/%s", path, name), false);
        free(names[i]);
    }
    free(names);
    keeper->entries[at].inside = keeper->count - at - 1;
    return good;
}

static bool keep(struct keeper *keeper, const char *path, bool may_miss)
{
    struct stat found;
    if (strlen(path) >= FRESH_PATH_MAX)
        return cannot(keeper, path, ENAMETOOLONG);
    uint32_t at = keeper->count;
    struct fresh_entry *entry = new_entry(keeper, path);
    if (lstat(path, &found) != 0)
        return (may_miss && errno == ENOENT) || cannot(keeper, path, errno);
    entry->mode = found.st_mode;
    entry->seconds = found.st_mtim.tv_sec;
    entry->nanoseconds = found.st_mtim.tv_nsec;
    switch (found.st_mode & S_IFMT) {
    case S_IFREG:
        return keep_file(keeper, entry, path);
    case S_IFLNK:
        return keep_link(keeper, entry, path);
    case S_IFDIR:
        return keep_folder(keeper, at, path);
    default:
        return problem_is(keeper->why, "--fresh keeps files, folders and links only", path, 0);
    }
}

/* The path with links resolved in all but its last part, so that it names the same thing throughout
 * the search. */
static char *absolute(const struct fresh_path *given, struct problem *why)
{
    char *copy = text_copy(given->path, strlen(given->path));
    size_t length = strlen(copy);
    while (length > 1 && copy[length - 1] == '/')
        copy[--length] = 0;
    char *slash = strrchr(copy, '/');
    const char *name = slash == NULL ? copy : slash + 1;
    bool plain = *name != 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    if (plain && slash != NULL)
        *slash = 0;
    const char *folder = !plain ? copy : slash == NULL ? "." : *copy == 0 ? "/" : copy;
    char *real = realpath(folder, NULL);
    if (real == NULL) {
        problem_is(why, "--fresh cannot keep", given->path, errno);
        return NULL;
    }
    char *path = !plain                   ? text_copy(real, strlen(real))
                 : strcmp(real, "/") == 0 ? text_print("/%s", name)
                                          : text_print("%s/%s", real, name);
    free(real);
    if (strcmp(path, "/") != 0)
        return path;
    problem_is(why, "--fresh cannot keep the whole file system", given->path, 0);
    return NULL;
}

static bool publish(struct fresh *out, struct keeper *keeper)
{
    uint64_t entries = sizeof(struct fresh_image) + keeper->count * sizeof *keeper->entries;
    for (uint32_t i = 0; i < keeper->count; i++) {
        keeper->entries[i].path += entries;
        keeper->entries[i].bytes += entries;
    }
    struct fresh_image head = {
        .magic = FRESH_MAGIC, .size = entries + keeper->size, .count = keeper->count};
    out->size = head.size;
    out->fd = memfd_create("bohr-fresh", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (out->fd < 0 || os_write(out->fd, &head, sizeof head) != 0 ||
        os_write(out->fd, keeper->entries, keeper->count * sizeof *keeper->entries) != 0 ||
        os_write(out->fd, keeper->bytes, keeper->size) != 0 ||
        fcntl(out->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0)
        return problem_is(keeper->why, "cannot keep the files of --fresh", NULL, errno);
    out->image = mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, out->fd, 0);
    if (out->image == MAP_FAILED)
        return problem_is(keeper->why, "cannot keep the files of --fresh", NULL, errno);
    return true;
}

bool fresh_keep(struct fresh *out, const struct fresh_path *paths, uint32_t count,
                struct problem *why)
{
    *out = (struct fresh){.fd = -1};
    if (count == 0)
        return true;
    struct keeper keeper = {.why = why};
    keeper.file = open_memstream(&keeper.bytes, &keeper.size);
    CHECK(keeper.file != NULL);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        const char *path = absolute(&paths[i], why);
        good = path != NULL && keep(&keeper, path, paths[i].may_miss);
    }
    CHECK(fclose(keeper.file) == 0);
    good = good && publish(out, &keeper);
    free(keeper.entries);
    free(keeper.bytes);
    return good;
}

bool fresh_end(struct fresh *fresh, struct problem *why)
{
    if (fresh->fd < 0)
        return true;
    struct fresh_failure failure = {0};
    bool good = fresh_put_back(fresh->image, &failure) == 0 ||
                problem_is(why, "--fresh cannot put back", failure.path, failure.error);
    munmap((void *)fresh->image, fresh->size);
    close(fresh->fd);
    fresh->fd = -1;
    return good;
}
