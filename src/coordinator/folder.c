#include "coordinator/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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
