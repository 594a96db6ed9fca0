#define _GNU_SOURCE
#include "cli/present.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "coordinator/text.h"
#include "report/report.h"

static bool finish(FILE *file, const char *path, struct problem *why)
{
    bool failed = ferror(file) != 0;
    int error = errno;
    if (fclose(file) != 0) {
        failed = true;
        error = errno;
    }
    return !failed || problem_is(why, "cannot write the results", path, error);
}

/* What is no regular file (a pipe, /dev/stderr) cannot be replaced, so it is written to. */
static bool is_replaceable(const char *path)
{
    struct stat about;
    return lstat(path, &about) != 0 || S_ISREG(about.st_mode);
}

static bool write_file(const struct verdict *verdict, const struct report *report,
                       const struct report_style *style, const char *path, struct problem *why)
{
    bool replaces = is_replaceable(path);
    const char *early = replaces ? text_print("%s.%d.part", path, getpid()) : path;
    FILE *file = fopen(early, "we");
    if (file == NULL)
        return problem_is(why, "cannot write the results", path, errno);
    report->write(verdict, style, file);
    bool good = finish(file, path, why);
    if (good && replaces && rename(early, path) != 0)
        good = problem_is(why, "cannot write the results", path, errno);
    if (!good && replaces)
        unlink(early);
    return good;
}

bool present(const struct verdict *verdict, const struct settings *settings, struct problem *why)
{
    bool json_to_output = settings->json != NULL && strcmp(settings->json, "-") == 0;
    FILE *people = json_to_output ? stderr : stdout;
    const char *no_color = getenv("NO_COLOR");
    struct report_style style = {
        .color =
            settings->color || (isatty(fileno(people)) && (no_color == NULL || *no_color == 0)),
        .whole = settings->whole,
        .quiet = settings->quiet,
        .verbose = settings->verbose,
    };
    const struct report *terminal = report_find("terminal"), *json = report_find("json");
    CHECK(terminal != NULL);
    CHECK(json != NULL);
    terminal->write(verdict, &style, people);
    if (json_to_output)
        json->write(verdict, &style, stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
        return problem_is(why, "cannot write the results", "standard output", errno);
    if (settings->json == NULL || json_to_output)
        return true;
    return write_file(verdict, json, &style, settings->json, why);
}
