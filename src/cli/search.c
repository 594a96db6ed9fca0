#include "cli/search.h"

#include <string.h>

#include "cli/baseline.h"
#include "cli/command.h"
#include "cli/present.h"
#include "cli/side_files.h"
#include "coordinator/share/contributions.h"
#include "coordinator/text.h"
#include "coordinator/verdict/conclude.h"
#include "coordinator/verdict/searches.h"

#define SPURIOUS_FIRST 0.75 /* part of the time for the search without spurious wake-ups */

static void note(struct verdict *verdict, const char *text)
{
    if (verdict->note_count < NOTES_MAX)
        verdict->notes[verdict->note_count++] = text;
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
    return read_memo(settings, job, boards[0].board, memo_of_another, why);
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

int search(struct job *job, const struct settings *settings, const struct files *files,
           const struct suppressions *suppressions, struct resumption *resumption,
           struct progress_line *line)
{
    static struct worker_pool pool;
    static struct verdict verdict;
    static struct corpus corpus;
    struct problem why, file_problem, unpresented;
    struct board_handle boards[WORKERS_MAX];
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
    struct searches all = {.pool = &pool,
                           .boards = boards,
                           .job = job,
                           .suppressions = suppressions,
                           .corpus = &corpus,
                           .to = {.output = files->output, .errors = -1},
                           .budget = budget_open(job->time_limit, job->hang_seconds)};
    if (settings->resume != NULL)
        resume_time(resumption, &pool, &all.budget);
    all.leaving = resume_leaving(resumption, &pool, settings, &all.budget);
    bool again = strcmp(job->options.strategy, "auto") == 0 && !settings->spurious_given;
    if (again && settings->state == NULL)
        all.budget.early_limit = job->time_limit * SPURIOUS_FIRST;
    bool explored = searches_run(&all, again, &why);
    progress_clear(line);
    int status = EXIT_WRONG;
    if (!explored) {
        complain(&why);
    } else {
        bool filed =
            conclude_search(&verdict, job, &pool, boards[0].board, &all.exploration, &file_problem);
        baseline_apply(&baseline, &verdict);
        contributions_add(&verdict, boards, job->workers);
        verdict.coverage = &boards[0].board->coverage;
        verdict.started = all.budget.started;
        if (all.said != NULL)
            note(&verdict, all.said);
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
        if (settings->coverage != NULL &&
            !write_coverage(settings->coverage, boards[0].board, &all.budget,
                            all.exploration.seconds, &why))
            status = complain(&why);
    }
    worker_pool_close(&pool);
    if (boards[0].board != NULL) /* otherwise there was no room for a second search */
        boards_drop(boards, job->workers);
    return status;
}
