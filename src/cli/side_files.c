#include "cli/side_files.h"

#include "cli/replace.h"
#include "coordinator/record/memo_file.h"
#include "coordinator/worker/boards.h"
#include "report/coverage_csv.h"

bool write_coverage(const char *path, const struct board *board, const struct budget *budget,
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

bool write_memo(const struct settings *settings, const struct job *job, const struct board *board,
                struct problem *why)
{
    struct replacement to;
    if (!replacement_open(&to, settings->remember, CANNOT_REMEMBER, why))
        return false;
    memo_write(memo_of(board), job->build_id, job->options.strategy, to.file);
    return replacement_close(&to, why);
}

bool read_memo(const struct settings *settings, const struct job *job, const struct board *board,
               bool *of_another, struct problem *why)
{
    return settings->remember == NULL ||
           memo_read(memo_of(board), settings->remember, job->build_id, job->options.strategy,
                     of_another, why);
}
