#define _GNU_SOURCE
#include "cli/replace.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coordinator/text.h"

/* A pipe, /dev/stderr and the like cannot be replaced, so they are written to directly. */
static bool is_replaceable(const char *path)
{
    struct stat about;
    return lstat(path, &about) != 0 || S_ISREG(about.st_mode);
}

bool replacement_open(struct replacement *out, const char *path, const char *what,
                      struct problem *why)
{
    bool replaces = is_replaceable(path);
    *out = (struct replacement){.path = path, .what = what};
    out->early = replaces ? text_print("%s.%d.part", path, getpid()) : path;
    out->file = fopen(out->early, "we");
    return out->file != NULL || problem_is(why, what, path, errno);
}

bool replacement_close(struct replacement *replacement, struct problem *why)
{
    const char *path = replacement->path, *early = replacement->early;
    bool replaces = early != path, good = ferror(replacement->file) == 0;
    int error = errno;
    if (fclose(replacement->file) != 0) {
        good = false;
        error = errno;
    }
    if (good && replaces && rename(early, path) != 0) {
        good = false;
        error = errno;
    }
    if (!good && replaces)
        unlink(early);
    return good || problem_is(why, replacement->what, path, error);
}

void replacement_drop(struct replacement *replacement)
{
    fclose(replacement->file);
    if (replacement->early != replacement->path)
        unlink(replacement->early);
}

bool replacement_is_possible(const char *path, const char *what, struct problem *why)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return problem_is(why, what, path, EISDIR);
    if (!is_replaceable(path))
        return access(path, W_OK) == 0 || errno == ENOENT || problem_is(why, what, path, errno);
    struct replacement trial;
    if (!replacement_open(&trial, path, what, why))
        return false;
    fclose(trial.file);
    unlink(trial.early);
    return true;
}
