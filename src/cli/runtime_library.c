#define _GNU_SOURCE
#include "cli/runtime_library.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/text.h"

const char *library_folder(struct problem *why)
{
    char self[PATH_MAX];
    ssize_t count = readlink("/proc/self/exe", self, sizeof self - 1);
    if (count < 0) {
        problem_is(why, "cannot find out where bohr lies", "/proc/self/exe", errno);
        return NULL;
    }
    self[count] = 0;
    char *slash = strrchr(self, '/');
    char *folder = realpath(text_print("%.*s/../lib/bohr", (int)(slash - self), self), NULL);
    const char *kept = folder == NULL ? NULL : text_copy(folder, strlen(folder));
    free(folder);
    if (kept == NULL || access(text_print("%s/" LIBRARY_NAME, kept), R_OK) != 0) {
        problem_is(why, "the runtime library is missing: build or install bohr again",
                   text_print("%.*s/../lib/bohr/" LIBRARY_NAME, (int)(slash - self), self), 0);
        return NULL;
    }
    return kept;
}
