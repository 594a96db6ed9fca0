#include "coordinator/verdict/searches.h"

#include <string.h>

#include "coordinator/search/always.h"
#include "coordinator/search/spurious.h"
#include "coordinator/text.h"

void boards_drop(struct board_handle *boards, uint32_t count)
{
    while (count > 0)
        board_drop(&boards[--count]);
}

bool boards_make(struct board_handle *boards, const struct job *job, struct problem *why)
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

/* Runs the search, unless a schedule of the corpus has found something already. */
static bool explore_first(struct searches *all, struct problem *why)
{
    if (all->leaving.left != NULL || !corpus_adopt(all->corpus, all->boards[0].board))
        return explore(all->pool, all->boards, all->job->workers, all->to, &all->budget,
                       &all->leaving, &all->exploration, why);
    all->exploration =
        (struct exploration){.stopped = STOP_FINDING, .seconds = budget_seconds(&all->budget)};
    return true;
}

/* The second search of auto, in the remaining time. The boards that stand for both searches are in
 * `boards` afterwards; `said` is a note about the other search. */
static bool explore_spurious(struct searches *all, struct problem *why)
{
    struct budget *budget = &all->budget;
    struct board_handle *boards = all->boards;
    struct job second = *all->job;
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
    for (uint32_t i = 0; i < all->job->workers; i++)
        spurious_begin(others[i].board, boards[0].board);
    struct leaving begins = {.fallback = all->exploration.fallback};
    bool good = explore(all->pool, others, all->job->workers, all->to, budget, &begins, &more, why);
    bool counts =
        good && (more.stopped == STOP_REFUSED || spurious_counts(others[0].board, boards[0].board));
    if (counts) {
        if (!others[0].board->tally.complete)
            all->said = spurious_note(boards[0].board, all->exploration.stopped);
        spurious_join(others[0].board, boards[0].board);
        for (uint32_t i = 0; i < all->job->workers; i++) {
            struct board_handle first = boards[i];
            boards[i] = others[i];
            others[i] = first;
        }
        all->exploration = more;
    } else if (good) {
        all->exploration.seconds = more.seconds;
        all->said = text_print("a search with a spurious wake-up was left unfinished after %lu "
                               "executions",
                               others[0].board->tally.executions);
    }
    boards_drop(others, all->job->workers);
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
 * execution has an error that every execution has. `first` is the board of that execution, which
 * may have been run already. */
static bool try_first(struct searches *all, struct board_handle *first, bool has_run,
                      struct problem *why)
{
    struct job *job = all->job, one = *job;
    struct exploration exploration;
    bool again = false, good = true;
    one.workers = 1;
    one.options.keep_going = 0;
    one.options.executions_max = 1;
    if (!has_run && !boards_make(first, &one, why))
        return false;
    do {
        good =
            has_run || explore(all->pool, first, 1, all->to, &all->budget, NULL, &exploration, why);
        good = good && go_past_error(all->pool, first, &one, &all->budget, &again, why);
        has_run = false;
    } while (good && again);
    if (!good || one.options.always_count == 0)
        return good;
    job->options.always_count = one.options.always_count;
    memcpy(job->options.always, one.options.always, sizeof job->options.always);
    if (!boards_renew(all->boards, job, why))
        return false;
    always_begin(all->boards[0].board, first->board);
    return true;
}

/* Where one worker searches, its first execution need not be tried in a search of its own: the
 * search stops behind it if it shows an error. */
static bool can_stop_at_first(const struct searches *all)
{
    const struct job *job = all->job;
    return job->workers == 1 && !job->options.remember && job->options.executions_max != 1 &&
           all->corpus->found_count == 0;
}

/* Runs the search. *stopped: its first execution shows an error, `first` is its board, and the
 * search is to begin again. */
static bool explore_to_first(struct searches *all, struct board_handle *first, bool *stopped,
                             struct problem *why)
{
    struct board *board = all->boards[0].board;
    board->options.keep_going = KEEP_GOING_FROM_SECOND;
    bool good = explore_first(all, why);
    board->options.keep_going = KEEP_GOING;
    *stopped = good && all->exploration.stopped == STOP_NONE && board->tally.executions <= 1 &&
               board_has_error(board);
    if (!*stopped)
        return good;
    *first = all->boards[0];
    return boards_make(all->boards, all->job, why);
}

/* Repeats the search without findings that a suppression matches, and past errors that every
 * execution has, until none is left. The first search may have been run already. */
static bool explore_all(struct searches *all, bool has_run, struct problem *why)
{
    struct job *job = all->job;
    bool may_go_past = all->leaving.left == NULL && !job->options.always_stops;
    for (;;) {
        if (!has_run && !explore_first(all, why))
            return false;
        has_run = false;
        int more =
            suppressions_apply(all->suppressions, all->pool, all->boards[0].board, &job->options);
        if (more < 0)
            return problem_is(why, "more than 64 different findings are suppressed: use --detect",
                              NULL, 0);
        bool again = more > 0 && all->exploration.stopped != STOP_INTERRUPT;
        if (again) {
            job->options.always_count = 0;
            if (!boards_renew(all->boards, job, why))
                return false;
            all->budget = budget_open(job->time_limit, job->hang_seconds);
        } else if (may_go_past && all->exploration.stopped == STOP_FINDING &&
                   !go_past_error(all->pool, all->boards, job, &all->budget, &again, why)) {
            return false;
        }
        if (!again)
            return true;
        all->leaving.left = NULL;
    }
}

static bool explore_wanted(struct searches *all, struct problem *why)
{
    struct board_handle first;
    bool tries = all->leaving.left == NULL && all->job->options.keep_going &&
                 !all->job->options.always_stops;
    bool has_run = tries && can_stop_at_first(all), stopped = false;
    if (has_run && !explore_to_first(all, &first, &stopped, why))
        return false;
    tries = tries && (!has_run || stopped);
    if (tries && !try_first(all, &first, has_run, why))
        return false;
    bool good = explore_all(all, has_run && !stopped, why);
    if (good && tries)
        always_keep(all->boards[0].board, first.board);
    if (tries)
        board_drop(&first);
    return good;
}

bool searches_run(struct searches *all, bool spurious, struct problem *why)
{
    if (!explore_wanted(all, why))
        return false;
    if (spurious && spurious_is_wanted(all->boards[0].board, &all->exploration) &&
        !explore_spurious(all, why))
        return false;
    always_conclude(all->boards[0].board);
    return true;
}
