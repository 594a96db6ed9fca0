/* bohr run: check, explore, confirm, report. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/baseline.h"
#include "cli/build.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/input.h"
#include "cli/present.h"
#include "cli/replace.h"
#include "cli/resume.h"
#include "cli/runtime_library.h"
#include "coordinator/minimise/corpus.h"
#include "coordinator/minimise/suppress.h"
#include "coordinator/record/memo_file.h"
#include "coordinator/record/result_folder.h"
#include "coordinator/search/always.h"
#include "coordinator/search/spurious.h"
#include "coordinator/share/contributions.h"
#include "coordinator/symbols/named.h"
#include "coordinator/symbols/trust.h"
#include "coordinator/text.h"
#include "coordinator/verdict/conclude.h"
#include "coordinator/worker/program.h"
#include "report/coverage_csv.h"
#include "report/progress.h"

#define SPURIOUS_FIRST        0.75 /* part of the time for the search without spurious wake-ups */
#define CANNOT_WRITE_COVERAGE "cannot write the coverage"
#define CANNOT_REMEMBER       "cannot write what is to be remembered"

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

static void boards_drop(struct board_handle *boards, uint32_t count)
{
    while (count > 0)
        board_drop(&boards[--count]);
}

static bool boards_make(struct board_handle *boards, const struct job *job, struct problem *why)
{
    struct options options = job->options;
    if (options.memory_max > 0) /* the workers share the memory */
        options.memory_max = (options.memory_max + job->workers - 1) / job->workers;
    for (uint32_t i = 0; i < job->workers; i++)
        if (!board_make(&boards[i], &options, why)) {
            boards_drop(boards, i);
            return false;
        }
    return true;
}

static bool write_coverage(const char *path, const struct board *board, const struct budget *budget,
                           double seconds, struct problem *why)
{
    struct replacement to;
    struct coverage_source source = {.tally = &board->tally,
                                     .coverage = &board->coverage,
                                     .started = budget->started,
                                     .seconds = seconds};
    if (!replacement_open(&to, path, CANNOT_WRITE_COVERAGE, why))
        return false;
    coverage_write(&source, to.file);
    return replacement_close(&to, why);
}

static struct memo *memo_of(const struct board *board)
{
    return board_at(board, board->layout.memo);
}

static bool write_memo(const struct settings *settings, const struct job *job,
                       const struct board *board, struct problem *why)
{
    struct replacement to;
    if (!replacement_open(&to, settings->remember, CANNOT_REMEMBER, why))
        return false;
    memo_write(memo_of(board), job->build_id, job->options.strategy, to.file);
    return replacement_close(&to, why);
}

/* Runs the search, unless a schedule of the corpus has found something already. */
static bool explore_first(struct worker_pool *pool, struct board_handle *boards,
                          const struct corpus *corpus, struct worker_output to,
                          struct budget *budget, const struct leaving *leaving,
                          struct exploration *exploration, struct problem *why)
{
    if (leaving->left != NULL || !corpus_adopt(corpus, boards[0].board))
        return explore(pool, boards, pool->job->workers, to, budget, leaving, exploration, why);
    *exploration = (struct exploration){.stopped = STOP_FINDING, .seconds = budget_seconds(budget)};
    return true;
}

static void note(struct verdict *verdict, const char *text)
{
    if (verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] = text;
}

/* The second search of auto, in the remaining time. The boards that stand for both searches are in
 * `boards` afterwards; *said is a note about the other search. */
static bool explore_spurious(struct worker_pool *pool, struct board_handle *boards,
                             const struct job *job, struct worker_output to, struct budget *budget,
                             struct exploration *exploration, const char **said,
                             struct problem *why)
{
    struct job second = *job;
    struct board_handle others[WORKERS_MAX];
    struct exploration more;
    second.options = spurious_options(boards[0].board);
    budget->early_limit = 0;
    if (budget->stopped == STOP_TIME)
        budget->stopped = STOP_NONE;
    if (budget_is_spent(budget))
        return true;
    if (!boards_make(others, &second, why))
        return false;
    for (uint32_t i = 0; i < job->workers; i++)
        spurious_begin(others[i].board, boards[0].board);
    struct leaving begins = {.fallback = exploration->fallback};
    bool good = explore(pool, others, job->workers, to, budget, &begins, &more, why);
    bool counts =
        good && (more.stopped == STOP_REFUSED || spurious_counts(others[0].board, boards[0].board));
    if (counts) {
        if (!others[0].board->tally.complete)
            *said = spurious_note(boards[0].board, exploration->stopped);
        spurious_join(others[0].board, boards[0].board);
        for (uint32_t i = 0; i < job->workers; i++) {
            struct board_handle first = boards[i];
            boards[i] = others[i];
            others[i] = first;
        }
        *exploration = more;
    } else if (good) {
        exploration->seconds = more.seconds;
        *said = text_print("a search with a spurious wake-up was left unfinished after %lu "
                           "executions",
                           others[0].board->tally.executions);
    }
    boards_drop(others, job->workers);
    return good;
}

static bool boards_renew(struct board_handle *boards, const struct job *job, struct problem *why)
{
    boards_drop(boards, job->workers);
    return boards_make(boards, job, why);
}

/* For a search that stopped at an error of its first execution. If every execution has that error,
 * the boards become those of a search that goes on past it. */
static bool go_past_error(struct worker_pool *pool, struct board_handle *boards, struct job *job,
                          struct budget *budget, bool *again, struct problem *why)
{
    const struct board *board = boards[0].board;
    uint32_t candidate = always_candidate(board);
    *again = candidate < FINDINGS_MAX && always_is_shown(pool, board, candidate, budget) &&
             always_add(&job->options, &board->findings[candidate]);
    if (!*again)
        return true;
    struct board_handle next[WORKERS_MAX];
    if (!boards_make(next, job, why))
        return false;
    always_begin(next[0].board, board);
    boards_drop(boards, job->workers);
    memcpy(boards, next, job->workers * sizeof *boards);
    return true;
}

/* For a search that goes on past all errors (--keep-going): finds out first whether its first
 * execution has an error that every execution has. `first` is the board of that execution. */
static bool try_first(struct worker_pool *pool, struct board_handle *first,
                      struct board_handle *boards, struct job *job, struct worker_output to,
                      struct budget *budget, struct problem *why)
{
    struct job one = *job;
    struct exploration exploration;
    bool again = false, good = true;
    one.workers = 1;
    one.options.keep_going = 0;
    one.options.executions_max = 1;
    if (!boards_make(first, &one, why))
        return false;
    do
        good = explore(pool, first, 1, to, budget, NULL, &exploration, why) &&
               go_past_error(pool, first, &one, budget, &again, why);
    while (good && again);
    if (!good || one.options.always_count == 0)
        return good;
    job->options.always_count = one.options.always_count;
    memcpy(job->options.always, one.options.always, sizeof job->options.always);
    if (!boards_renew(boards, job, why))
        return false;
    always_begin(boards[0].board, first->board);
    return true;
}

/* Repeats the search without findings that a suppression matches, and past errors that every
 * execution has, until none is left. */
static bool explore_all(struct worker_pool *pool, struct board_handle *boards, struct job *job,
                        const struct suppressions *suppressions, const struct corpus *corpus,
                        struct worker_output to, struct budget *budget, struct leaving *leaving,
                        struct exploration *exploration, struct problem *why)
{
    bool may_go_past = leaving->left == NULL && !job->options.always_stops;
    for (;;) {
        if (!explore_first(pool, boards, corpus, to, budget, leaving, exploration, why))
            return false;
        int more = suppressions_apply(suppressions, pool, boards[0].board, &job->options);
        if (more < 0)
            return problem_is(why, "more than 64 different findings are suppressed: use --detect",
                              NULL, 0);
        bool again = more > 0 && exploration->stopped != STOP_INTERRUPT;
        if (again) {
            job->options.always_count = 0;
            if (!boards_renew(boards, job, why))
                return false;
            *budget = budget_open(job->time_limit, job->hang_seconds);
        } else if (may_go_past && exploration->stopped == STOP_FINDING &&
                   !go_past_error(pool, boards, job, budget, &again, why)) {
            return false;
        }
        if (!again)
            return true;
        leaving->left = NULL;
    }
}

static bool explore_wanted(struct worker_pool *pool, struct board_handle *boards, struct job *job,
                           const struct suppressions *suppressions, const struct corpus *corpus,
                           struct worker_output to, struct budget *budget, struct leaving *leaving,
                           struct exploration *exploration, struct problem *why)
{
    struct board_handle first;
    bool tries = leaving->left == NULL && job->options.keep_going && !job->options.always_stops;
    if (tries && !try_first(pool, &first, boards, job, to, budget, why))
        return false;
    bool good =
        explore_all(pool, boards, job, suppressions, corpus, to, budget, leaving, exploration, why);
    if (good && tries)
        always_keep(boards[0].board, first.board);
    if (tries)
        board_drop(&first);
    return good;
}

static void note_suppressed(struct verdict *verdict, uint32_t count)
{
    if (count > 0 && verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] =
            count == 1 ? "1 finding was suppressed; what was explored is the search without it"
                       : text_print("%u findings were suppressed; what was explored is the search "
                                    "without them",
                                    count);
}

static void note_memo_of_another(struct verdict *verdict)
{
    if (verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] =
            "what was remembered belongs to another build or strategy: it was not used";
}

static void note_corpus(struct verdict *verdict, const struct corpus *corpus)
{
    const char *text = corpus_text(corpus);
    if (text != NULL && verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] = text;
}

static void note_state(struct verdict *verdict, const struct resumption *resumption)
{
    verdict->state = resumption->written;
    if (verdict->state != NULL && verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] =
            text_print("the search can go on: bohr run --resume %s", verdict->state);
}

/* Fills the boards before the search: from an earlier part of the search, or from the file of
 * --remember. */
static bool boards_begin(struct board_handle *boards, const struct job *job,
                         const struct settings *settings, struct resumption *resumption,
                         bool *memo_of_another, struct problem *why)
{
    if (settings->resume != NULL)
        return state_fill(&resumption->state, job, boards, why);
    return settings->remember == NULL ||
           memo_read(memo_of(boards[0].board), settings->remember, job->build_id,
                     job->options.strategy, memo_of_another, why);
}

static bool corpus_begin(struct corpus *corpus, const struct settings *settings,
                         struct worker_pool *pool, struct problem *why)
{
    if (settings->corpus == NULL)
        return true;
    if (settings->resume == NULL)
        return corpus_try(corpus, settings->corpus, pool, why);
    corpus->folder = settings->corpus; /* the corpus was tried when the search was begun */
    return true;
}

static int search(struct job *job, const struct settings *settings, const struct files *files,
                  const struct suppressions *suppressions, struct resumption *resumption,
                  struct progress_line *line)
{
    static struct worker_pool pool;
    static struct verdict verdict;
    static struct corpus corpus;
    struct problem why, file_problem, unpresented;
    struct board_handle boards[WORKERS_MAX];
    struct exploration exploration;
    struct baseline baseline = {0};
    if (settings->baseline != NULL && !baseline_read(&baseline, settings->baseline, &why))
        return complain(&why);
    if ((settings->resume != NULL && !state_fits(&resumption->state, job, &why)) ||
        !worker_pool_open(&pool, job, &why) || !corpus_begin(&corpus, settings, &pool, &why) ||
        !boards_make(boards, job, &why))
        return complain(&why);
    bool other = false;
    if (!boards_begin(boards, job, settings, resumption, &other, &why)) {
        boards_drop(boards, job->workers);
        worker_pool_close(&pool);
        return complain(&why);
    }
    struct budget budget = budget_open(job->time_limit, job->hang_seconds);
    if (settings->resume != NULL)
        resume_time(resumption, &pool, &budget);
    struct leaving leaving = resume_leaving(resumption, &pool, settings, &budget);
    struct worker_output to = {.output = files->output, .errors = -1};
    bool again = strcmp(job->options.strategy, "auto") == 0 && !settings->spurious_given;
    const char *said = NULL;
    if (again && settings->state == NULL)
        budget.early_limit = job->time_limit * SPURIOUS_FIRST;
    bool explored = explore_wanted(&pool, boards, job, suppressions, &corpus, to, &budget, &leaving,
                                   &exploration, &why);
    if (explored && again && spurious_is_wanted(boards[0].board, &exploration))
        explored = explore_spurious(&pool, boards, job, to, &budget, &exploration, &said, &why);
    if (explored)
        always_conclude(boards[0].board);
    progress_clear(line);
    int status = EXIT_WRONG;
    if (!explored) {
        complain(&why);
    } else {
        bool filed =
            conclude_search(&verdict, job, &pool, boards[0].board, &exploration, &file_problem);
        baseline_apply(&baseline, &verdict);
        contributions_add(&verdict, boards, job->workers);
        verdict.coverage = &boards[0].board->coverage;
        verdict.started = budget.started;
        if (said != NULL)
            note(&verdict, said);
        note_suppressed(&verdict, job->options.suppressed_count);
        if (other)
            note_memo_of_another(&verdict);
        note_corpus(&verdict, &corpus);
        note_state(&verdict, resumption);
        progress_clear(line);
        bool presented = present(&verdict, settings, &unpresented);
        status = verdict_exit_status(&verdict);
        if (verdict.shortfall != NULL) {
            problem_is(&why, verdict.shortfall, NULL, 0);
            complain(&why);
        }
        if (!presented)
            status = complain(&unpresented);
        if (!filed)
            status = complain(&file_problem);
        if (resumption->failed)
            status = complain(&resumption->why);
        if (settings->remember != NULL && !write_memo(settings, job, boards[0].board, &why))
            status = complain(&why);
        if (settings->corpus != NULL &&
            !corpus_keep(&corpus, &pool, boards[0].board, &verdict, &why))
            status = complain(&why);
        if (settings->coverage != NULL && !write_coverage(settings->coverage, boards[0].board,
                                                          &budget, exploration.seconds, &why))
            status = complain(&why);
    }
    worker_pool_close(&pool);
    if (boards[0].board != NULL) /* otherwise there was no room for a second search */
        boards_drop(boards, job->workers);
    return status;
}

static bool prepare(struct job *job, struct built *built, struct problem *why)
{
    if (program_is_source(job->name)) {
        if (!build_source(built, job->name, why))
            return false;
        job->source = job->name;
    }
    job->program = program_find(built->program != NULL ? built->program : job->name, why);
    if (job->program == NULL || !program_check(job->program, why))
        return false;
    if (!named_find(&job->options.hierarchy, job->program, why) ||
        !trust_find(&job->options.trust, job->program, why))
        return false;
    job->build_id = program_build_id(job->program, why);
    job->library = library_folder(why);
    if (job->build_id == NULL || job->library == NULL)
        return false;
    struct input input;
    if (!input_read(&input, why))
        return false;
    job->input = input.fd;
    job->options.has_input = !input.empty;
    return true;
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
