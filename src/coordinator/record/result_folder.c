#include "coordinator/record/result_folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coordinator/text.h"

bool folder_make(const char *path, const char *what, struct problem *why)
{
    char *part = text_copy(path, strlen(path));
    for (char *end = strchr(part + 1, '/'); *part != 0 && end != NULL; end = strchr(end + 1, '/')) {
        *end = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return problem_is(why, what, path, errno);
        *end = '/';
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST || problem_is(why, what, path, errno);
}

bool folder_is_possible(const char *path, const char *what, struct problem *why)
{
    struct stat about;
    return stat(path, &about) != 0 || S_ISDIR(about.st_mode) || problem_is(why, what, path, 0);
}

/* The folder itself or, if it does not exist yet, the nearest existing one above it. */
static const char *folder_there(const char *path)
{
    struct stat about;
    char *part = text_copy(path, strlen(path));
    while (stat(part, &about) != 0 && errno == ENOENT) {
        char *slash = strrchr(part, '/');
        if (slash == NULL)
            return ".";
        if (slash == part)
            return "/";
        *slash = 0;
    }
    return part;
}

/* Makes a folder to find out. Permissions alone do not tell: in /proc no folder can be made. */
bool folder_is_writable(const char *path, const char *what, struct problem *why)
{
    const char *trial = text_print("%s/.bohr-%d", folder_there(path), getpid());
    if (mkdir(trial, 0777) != 0)
        return problem_is(why, what, path, errno);
    rmdir(trial);
    return true;
}
