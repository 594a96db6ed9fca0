#define _GNU_SOURCE
#include "runtime/memory/names.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"
#include "base/out.h"

enum { CONTENTS_MAX = 1 << 18, CHUNK = 4096, PATH_SIZE = 1024 };

/* Of a descriptor: what /proc calls it, which stays right when it is closed. */
static bool name_of(int descriptor, char *out, size_t size)
{
    char link[32];
    struct out text = out_to(-1, link, sizeof link);
    out_text(&text, "/proc/self/fd/");
    out_number(&text, (uint64_t)descriptor);
    long length =
        os_call(SYS_readlink, (long)out_string(&text), (long)out, (long)size - 1, 0, 0, 0);
    if (length <= 0 || (size_t)length >= size - 1 || out[0] != '/')
        return false;
    out[length] = 0;
    return true;
}

static const char *name_at(const struct names *names, uint32_t i)
{
    return names->text + names->at[i];
}

static bool add(struct names *names, const char *name)
{
    size_t size = strlen(name) + 1;
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(name_at(names, i), name) == 0)
            return true;
    if (names->count == NAMES_MAX || size > NAMES_SIZE - names->used)
        return false;
    memcpy(names->text + names->used, name, size);
    names->at[names->count++] = names->used;
    names->used += (uint32_t)size;
    return true;
}

bool names_add(struct names *names, int folder, const char *path)
{
    char whole[PATH_SIZE];
    if (folder == AT_FDCWD || path[0] == '/')
        return add(names, path);
    if (!name_of(folder, whole, sizeof whole))
        return false;
    size_t length = strlen(whole), more = strlen(path) + 1;
    if (length + 1 + more > sizeof whole)
        return false;
    whole[length] = '/';
    memcpy(whole + length + 1, path, more);
    return add(names, whole);
}

bool names_add_descriptor(struct names *names, int descriptor)
{
    char name[PATH_SIZE];
    return name_of(descriptor, name, sizeof name) && add(names, name);
}

static long look_at(const char *name, struct stat *file, int flags)
{
    return os_call(SYS_newfstatat, AT_FDCWD, (long)name, (long)file, flags, 0, 0);
}

static bool leads_to(const char *name, const struct stat *file, int flags)
{
    struct stat there;
    return look_at(name, &there, flags) == 0 && there.st_dev == file->st_dev &&
           there.st_ino == file->st_ino;
}

uint32_t names_find(const struct names *names, const struct stat *file)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (leads_to(name_at(names, i), file, 0))
            return i + 1;
    return 0;
}

bool names_cover(const struct names *names, const struct stat *file)
{
    uint64_t links = 0;
    for (uint32_t i = 0; i < names->count; i++)
        links += leads_to(name_at(names, i), file, AT_SYMLINK_NOFOLLOW);
    return links >= file->st_nlink;
}

/* When it was read is not to be seen, if that can be. */
static int open_to_read(const char *name)
{
    long flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    long file = os_call(SYS_open, (long)name, flags | O_NOATIME, 0, 0, 0, 0);
    return (int)(file >= 0 ? file : os_call(SYS_open, (long)name, flags, 0, 0, 0, 0));
}

static bool contents_of(const char *name, uint64_t *state)
{
    uint64_t words[CHUNK / sizeof(uint64_t)], all = 0;
    int file = open_to_read(name);
    long got = file < 0 ? file : 0;
    while (file >= 0 && all <= CONTENTS_MAX) {
        memset(words, 0, sizeof words);
        got = os_read(file, words, sizeof words);
        if (got <= 0)
            break;
        all += (uint64_t)got;
        for (uint32_t i = 0; i < (uint64_t)got && i < sizeof words; i += sizeof *words)
            *state = mix(*state, words[i / sizeof *words]);
    }
    if (file >= 0)
        os_close(file);
    *state = mix(*state, all);
    return got == 0 && all <= CONTENTS_MAX;
}

bool contents_state(int descriptor, uint64_t *state)
{
    char link[32];
    struct out text = out_to(-1, link, sizeof link);
    out_text(&text, "/proc/self/fd/");
    out_number(&text, (uint64_t)descriptor);
    return contents_of(out_string(&text), state);
}

static bool link_state(const char *name, uint64_t *state)
{
    char to[PATH_SIZE] = {0};
    long length = os_call(SYS_readlink, (long)name, (long)to, sizeof to, 0, 0, 0);
    for (uint32_t i = 0; i < length; i++)
        *state = mix(*state, (uint64_t)(unsigned char)to[i]);
    return length >= 0;
}

bool names_state(const struct names *names, uint64_t *state)
{
    bool all = true;
    *state = mix(*state, names->count);
    for (uint32_t i = 0; all && i < names->count; i++) {
        struct stat file;
        long error = look_at(name_at(names, i), &file, AT_SYMLINK_NOFOLLOW);
        *state = mix(*state, error == 0 ? file.st_mode : (uint64_t)error);
        if (error == 0 && !S_ISDIR(file.st_mode))
            *state = mix(mix(*state, file.st_nlink), names_find(names, &file));
        if (error == 0 && S_ISREG(file.st_mode))
            all = contents_of(name_at(names, i), state);
        else if (error == 0 && S_ISLNK(file.st_mode))
            all = link_state(name_at(names, i), state);
    }
    return all;
}
