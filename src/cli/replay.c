/* bohr replay: runs one recorded schedule again, and says whether the same result comes out. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/debug.h"
#include "cli/files.h"
#include "cli/prepare.h"
#include "cli/present.h"
#include "cli/replay.h"
#include "coordinator/record/replay_file.h"
#include "coordinator/text.h"
#include "coordinator/verdict/causes.h"
#include "coordinator/verdict/conclude.h"

/* Whether the recording must be adapted (heal.h). For an unchanged program each step must be the
 * same. */
static bool is_to_heal(const struct job *job, const struct recording *recording)
{
    return strcmp(job->build_id, recording->build_id) != 0 ||
           recording->finding.kind == FINDING_KINDS;
}

static void note(struct verdict *verdict, const char *text)
{
    if (verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] = text;
}

static int again(const struct job *job, struct recording *recording,
                 const struct settings *settings, char **gdb_arguments)
{
    static struct worker_pool pool;
    static struct reported reported;
    static struct confirmed confirmed;
    static struct verdict verdict;
    static struct healed healed;
    struct problem why;
    bool heals = is_to_heal(job, recording);
    uint64_t nearby = recording->finding.kind == FINDING_KINDS ? 0 : HEAL_NEARBY;
    recording->options = job->options;
    double start = budget_clock();
    if (!worker_pool_open(&pool, job, &why))
        return complain(&why);
    if (heals && !heal(&pool, recording, nearby, &healed, &why)) {
        worker_pool_close(&pool);
        return complain(&why);
    }
    if (heals && healed.outcome == HEAL_PASSES) {
        conclude_healed(&verdict, job, &pool, &healed, budget_clock() - start);
        bool presented = present(&verdict, settings, &why);
        worker_pool_close(&pool);
        return presented ? EXIT_CLEAN : complain(&why);
    }
    confirm(&pool, recording, settings->options.carrier, &reported, &confirmed);
    if (confirmed.how == CONFIRM_NOT_RUN) {
        worker_pool_close(&pool);
        return complain(&confirmed.why);
    }
    if (settings->gdb && confirmed.how == CONFIRM_SAME) {
        /* facts that cannot be found out stay unknown */
        explain(&pool, recording, &reported, &why);
        worker_pool_close(&pool);
        if (heals)
            fprintf(stderr, "%s\n", healed_text(&healed));
        return debug(job, recording, &reported, confirmed.tally.threads, gdb_arguments);
    }
    struct problem unexplained = {.text = ""};
    if (job->explain)
        explain(&pool, recording, &reported, &unexplained);
    conclude_replay(&verdict, job, &pool, &reported, &confirmed, budget_clock() - start);
    if (heals)
        note(&verdict, healed_text(&healed));
    if (unexplained.text[0] != 0)
        note(&verdict, text_print("why it shows was not found out: %s", unexplained.text));
    bool presented = present(&verdict, settings, &why);
    worker_pool_close(&pool);
    if (!presented)
        return complain(&why);
    if (confirmed.how == CONFIRM_SAME)
        return EXIT_FOUND;
    problem_is(&why, confirmed.different.message, NULL, 0);
    return complain(&why);
}

int replay_command(int argc, char **argv, enum command_bit command)
{
    const char *usage = text_print("bohr %s [OPTIONS] FILE", argv[0]);
    struct settings settings = settings_default();
    struct problem why;
    struct recording recording;
    int first;
    if (!options_parse_text(&settings, command, getenv("BOHR_OPTIONS"), &why) ||
        !options_parse(&settings, command, argc - 1, argv + 1, &first, &why))
        return complain(&why);
    if (settings.help) {
        printf("%s\n%s\n", usage,
               command == COMMAND_REPLAY ? "bohr replay --gdb FILE [-- ARGUMENTS OF GDB]\n" : "");
        options_help(stdout, command);
        return EXIT_CLEAN;
    }
    int rest;
    struct settings *later = &settings; /* options may also follow the file */
    int left = argc - 1 - first - 1;
    if (left < 0 || !options_parse(later, command, left, argv + 1 + first + 1, &rest, &why) ||
        (rest != left && !settings.gdb)) {
        if (left < 0 || rest != left)
            problem_is(&why, text_print("which file? %s", usage), NULL, 0);
        return complain(&why);
    }
    if (!replay_file_read(&recording, argv[1 + first], &why) ||
        !present_is_possible(&settings, &why))
        return complain(&why);
    struct job job = {
        .name = recording.arguments[0],
        .source = recording.source,
        .arguments = recording.arguments,
        .options = recording.options,
        .output = settings.output,
        .fresh_paths = recording.fresh_paths,
        .hang_seconds = settings.hang_seconds,
        .explain = command == COMMAND_EXPLAIN || settings.reports[REPORT_html] != NULL,
    };
    job.options.carrier = settings.options.carrier;
    if (!job.explain) /* an explanation takes many executions */
        job.options.isolate = ISOLATE_FORK;
    job.options.checkpoint = CHECKPOINTS_AUTO;
    struct built built = {0};
    struct files files = {.fresh.fd = -1, .output = -1};
    bool ready =
        prepare_replay(&job, &recording, &built, &why) && files_open_again(&files, &job, &why);
    int status =
        ready ? again(&job, &recording, &settings, argv + 1 + first + 1 + rest) : complain(&why);
    if (!files_close(&files, &why))
        status = complain(&why);
    build_remove(&built);
    return status;
}

int command_replay(int argc, char **argv)
{
    return replay_command(argc, argv, COMMAND_REPLAY);
}
