#define _GNU_SOURCE
#include "cli/present.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "cli/replace.h"
#include "report/report.h"

static bool write_file(const struct verdict *verdict, const struct report *report,
                       const struct report_style *style, const char *path, struct problem *why)
{
    struct replacement to;
    if (!replacement_open(&to, path, "cannot write the results", why))
        return false;
    report->write(verdict, style, to.file);
    return replacement_close(&to, why);
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
