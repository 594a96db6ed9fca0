#define _GNU_SOURCE
#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "coordinator/text.h"

static bool keep(struct files *files, struct job *job, struct problem *why)
{
    uint32_t count = 0;
    while (job->fresh_paths != NULL && job->fresh_paths[count] != NULL)
        count++;
    struct fresh_path *paths = text_room((count + 1) * sizeof *paths);
    for (uint32_t i = 0; i < count; i++)
        paths[i].path = job->fresh_paths[i];
    if (job->options.output_path[0] != 0)
        paths[count++] = (struct fresh_path){.path = job->options.output_path, .may_miss = true};
    if (!fresh_keep(&files->fresh, paths, count, why))
        return false;
    job->fresh = files->fresh.fd;
    job->options.fresh_size = files->fresh.fd < 0 ? 0 : files->fresh.size;
    return true;
}

/* An absolute path. The program may change its folder, and a recording is run from another one. */
static const char *whole_path(const char *path, struct problem *why)
{
    char *here = *path == '/' ? NULL : getcwd(NULL, 0);
    if (*path != '/' && here == NULL) {
        problem_is(why, "cannot find the current folder", NULL, errno);
        return NULL;
    }
    const char *whole = *path == '/' ? path : text_print("%s/%s", here, path);
    free(here);
    return whole;
}

static bool name_fresh(struct job *job, const struct settings *settings, struct problem *why)
{
    job->fresh_paths = text_room((settings->fresh_count + 1) * sizeof *job->fresh_paths);
    for (uint32_t i = 0; i < settings->fresh_count; i++) {
        job->fresh_paths[i] = whole_path(settings->fresh[i], why);
        if (job->fresh_paths[i] == NULL)
            return false;
    }
    return true;
}

static bool name_output(struct job *job, const char *path, struct problem *why)
{
    const char *whole = whole_path(path, why);
    if (whole == NULL)
        return false;
    if (strlen(whole) >= OUTPUT_PATH_MAX)
        return problem_is(why, "the path is too long for --same-output", path, 0);
    strcpy(job->options.output_path, whole);
    return true;
}

static bool read_expected(struct job *job, const char *path, struct problem *why)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int error = file < 0 ? errno : written_read(&job->options.expect_output, file);
    if (file >= 0)
        close(file);
    job->options.output = OUTPUT_EXPECTED;
    return error == 0 || problem_is(why, "cannot read the expected output", path, error);
}

bool files_open(struct files *files, struct job *job, const struct settings *settings,
                struct problem *why)
{
    *files = (struct files){.fresh.fd = -1, .output = -1};
    const char *same = settings->same_output, *expected = settings->expect_output;
    if (same != NULL)
        job->options.output = OUTPUT_SAME;
    if (!name_fresh(job, settings, why))
        return false;
    if (same != NULL && strcmp(same, "-") != 0 && !name_output(job, same, why))
        return false;
    if (expected != NULL && !read_expected(job, expected, why))
        return false;
    if (!keep(files, job, why))
        return false;
    if (job->options.output == OUTPUT_ANY || job->options.output_path[0] != 0)
        return true;
    files->output = memfd_create("bohr-output", MFD_CLOEXEC);
    return files->output >= 0 || problem_is(why, "cannot keep the program's output", NULL, errno);
}

bool files_open_again(struct files *files, struct job *job, struct problem *why)
{
    *files = (struct files){.fresh.fd = -1, .output = -1};
    return keep(files, job, why);
}

bool files_close(struct files *files, struct problem *why)
{
    if (files->output >= 0)
        close(files->output);
    return fresh_end(&files->fresh, why);
}
