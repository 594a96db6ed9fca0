#define _GNU_SOURCE
#include "cli/present.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/replace.h"
#include "coordinator/text.h"
#include "report/style.h"

#define CANNOT_WRITE "cannot write the results"

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* The report that goes to standard output; REPORT_terminal if the user chose none. */
static int report_of_output(const struct settings *settings)
{
    for (int i = 0; i < REPORTS; i++)
        if (settings->reports[i] != NULL && is_standard_output(settings->reports[i]))
            return i;
    return REPORT_terminal;
}

bool present_is_possible(const struct settings *settings, struct problem *why)
{
    int output = report_of_output(settings);
    for (int i = 0; i < REPORTS; i++) {
        const char *path = settings->reports[i];
        if (path == NULL || i == output)
            continue;
        if (is_standard_output(path))
            return problem_is(
                why,
                text_print("--%s and --%s cannot both be standard output: name a file",
                           reports[output]->name, reports[i]->name),
                NULL, 0);
        if (!replacement_is_possible(path, CANNOT_WRITE, why))
            return false;
    }
    return true;
}

static bool write_file(const struct verdict *verdict, const struct report *report,
                       const struct report_style *style, const char *path, struct problem *why)
{
    struct replacement to;
    if (!replacement_open(&to, path, CANNOT_WRITE, why))
        return false;
    report->write(verdict, style, to.file);
    return replacement_close(&to, why);
}

/* Writes all files that can be written, even if others fail. `why` is about the first that
 * failed. */
static bool write_files(const struct verdict *verdict, const struct settings *settings,
                        const struct report_style *style, struct problem *why)
{
    bool good = true;
    for (int i = 0; i < REPORTS; i++) {
        const char *path = settings->reports[i];
        struct problem other;
        if (path != NULL && !is_standard_output(path))
            good &= write_file(verdict, reports[i], style, path, good ? why : &other);
    }
    return good;
}

/* The width of a narrow terminal; 0: no terminal, or one of the usual width or more. */
static int terminal_width(FILE *file)
{
    struct winsize size;
    if (!isatty(fileno(file)) || ioctl(fileno(file), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col < REPORT_WIDTH ? size.ws_col : 0;
}

/* GitHub's runner of workflows sets this variable, and reads annotations from standard output. */
static bool is_on_github(void)
{
    const char *value = getenv("GITHUB_ACTIONS");
    return value != NULL && strcmp(value, "true") == 0;
}

static bool wants_color(const struct settings *settings, FILE *people)
{
    if (settings->color != COLOR_AUTO)
        return settings->color == COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR");
    return isatty(fileno(people)) && (no_color == NULL || *no_color == 0);
}

bool present(const struct verdict *verdict, const struct settings *settings, struct problem *why)
{
    int output = report_of_output(settings);
    FILE *people = output == REPORT_terminal ? stdout : stderr;
    struct report_style style = {
        .color = wants_color(settings, people),
        .whole = settings->whole,
        .quiet = settings->quiet,
        .verbose = settings->verbose,
        .width = terminal_width(people),
    };
    struct problem other;
    bool written = write_files(verdict, settings, &style,
                               &other); /* before standard output, whose reader may stop early */
    reports[REPORT_terminal]->write(verdict, &style, people);
    if (is_on_github() && output == REPORT_terminal &&
        settings->reports[REPORT_annotations] == NULL)
        reports[REPORT_annotations]->write(verdict, &style, stdout);
    if (output != REPORT_terminal)
        reports[output]->write(verdict, &style, stdout);
    bool shown = fflush(stdout) == 0 && !ferror(stdout);
    if (!shown)
        return problem_is(why, CANNOT_WRITE, "standard output", errno);
    *why = other;
    return written;
}
