/* bohr run: check, explore, confirm, report. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/prepare.h"
#include "cli/present.h"
#include "cli/replace.h"
#include "cli/search.h"
#include "cli/side_files.h"
#include "coordinator/record/result_folder.h"
#include "coordinator/text.h"

static void tick(void *context, const struct glance *now, double seconds)
{
    progress_show(context, now, seconds);
}

/* Whether a report goes to a file or standard output; such a report has all details, even with
 * --quiet. */
static bool writes_reports(const struct settings *settings)
{
    for (int i = 0; i < REPORTS; i++)
        if (settings->reports[i] != NULL)
            return true;
    return false;
}

/* Whether to show progress: only on a terminal that somebody looks at. */
static bool shows_progress(const struct settings *settings)
{
    const char *terminal = getenv("TERM"), *service = getenv("CI");
    return isatty(2) && !settings->no_progress && !settings->quiet &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0) &&
           (service == NULL || *service == 0);
}

/* Reports a missing program, and an option that may have taken it as its value. */
static int no_program(const struct settings *settings)
{
    struct problem why;
    problem_is(
        &why,
        settings->taken == NULL || access(settings->taken, X_OK) != 0
            ? "which program? bohr run [OPTIONS] PROGRAM [ARGS…]"
            : text_print("which program? %s has taken %s: bohr run [OPTIONS] PROGRAM [ARGS…]",
                         settings->taken_by, settings->taken),
        NULL, 0);
    return complain(&why);
}

/* Whether results can be written. The default folder is not tried: a search that finds nothing need
 * not write there. */
static bool output_is_possible(const struct settings *settings, struct problem *why)
{
    return folder_is_possible(settings->output, "--output names a file, but results go to a folder",
                              why) &&
           (strcmp(settings->output, settings_default().output) == 0 ||
            folder_is_writable(settings->output,
                               "cannot write to the folder for results (--output)", why));
}

int command_run(int argc, char **argv)
{
    struct settings settings = settings_default();
    struct problem why;
    int first;
    if (!options_parse_text(&settings, COMMAND_RUN, getenv("BOHR_OPTIONS"), &why) ||
        !options_parse(&settings, COMMAND_RUN, argc - 1, argv + 1, &first, &why))
        return complain(&why);
    if (settings.help) {
        puts("bohr run [OPTIONS] PROGRAM [ARGS…]\n");
        options_help(stdout, COMMAND_RUN);
        return EXIT_CLEAN;
    }
    static struct resumption resumption;
    char **program = argv + 1 + first;
    resume_begin(&resumption, argv + 1, (uint32_t)first, program);
    if (settings.resume != NULL &&
        !resume_parse(&resumption, &settings, argc - 1, argv + 1, &program, &why))
        return complain(&why);
    if (!options_settle(&settings, &why))
        return complain(&why);
    struct suppressions suppressions = {0};
    if (settings.suppressions != NULL &&
        !suppressions_read(&suppressions, settings.suppressions, &why))
        return complain(&why);
    if (*program == NULL)
        return no_program(&settings);
    if (!output_is_possible(&settings, &why))
        return complain(&why);
    if (settings.coverage != NULL &&
        !replacement_is_possible(settings.coverage, CANNOT_WRITE_COVERAGE, &why))
        return complain(&why);
    if (!present_is_possible(&settings, &why))
        return complain(&why);
    if (settings.state != NULL && !replacement_is_possible(settings.state, CANNOT_KEEP, &why))
        return complain(&why);
    if (settings.remember != NULL &&
        !replacement_is_possible(settings.remember, CANNOT_REMEMBER, &why))
        return complain(&why);
    struct progress_line line = {.file = stderr};
    bool shows = shows_progress(&settings);
    struct job job = {
        .name = *program,
        .arguments = program,
        .options = settings.options,
        .output = settings.output,
        .workers = settings.workers,
        .shrink = !settings.no_shrink,
        .explain = !settings.no_explain && (!settings.quiet || writes_reports(&settings)),
        .time_limit = settings.time_limit,
        .hang_seconds = settings.hang_seconds,
        .tick = shows ? tick : NULL,
        .context = &line,
    };
    struct built built = {0};
    struct files files = {.fresh.fd = -1, .output = -1};
    bool ready = prepare(&job, &built, &why) && files_open(&files, &job, &settings, &why);
    int status =
        ready ? search(&job, &settings, &files, &suppressions, &resumption, &line) : complain(&why);
    if (!files_close(&files, &why))
        status = complain(&why);
    build_remove(&built);
    state_close(&resumption.state);
    return status;
}
