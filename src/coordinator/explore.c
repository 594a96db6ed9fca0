#define _GNU_SOURCE
#include "coordinator/explore.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coordinator/text.h"

enum {
    TICK_MS = 50,
    STARTS_MAX = 3,        /* workers in a row that never came up */
    DEATHS_TO_BELIEVE = 2, /* in one execution, until it is taken for the killer */
    KILLS_TO_BELIEVE = 50, /* the same for SIGKILL, which somebody else may have sent */
    DEATHS_MORE = 5,       /* until nobody believes anything any more */
    HANGS_MAX = 2,         /* workers that we had to kill in one execution */
};

struct watch { /* what is known about the worker that runs */
    struct worker *worker;
    uint32_t started; /* board.started before it */
    uint32_t failed_starts;
    uint64_t sequence; /* where the last one died */
    uint32_t deaths_there;
    bool killed_for_hang;
    int start_errors; /* standard error of the last attempt to start; -1: not kept */
};

enum next { NEXT_START, NEXT_FINISH, NEXT_FAIL };

static enum stop_reason reason_to_stop(const struct board *board, const struct budget *budget)
{
    if (board->tally.complete)
        return STOP_NONE;
    if (board->control.stop && budget->stopped != STOP_NONE)
        return budget->stopped;
    if (board->options.executions_max > 0 &&
        board->tally.executions + board->tally.cut >= board->options.executions_max)
        return STOP_EXECUTIONS;
    for (uint32_t i = 0; i < board->tally.finding_count && i < FINDINGS_MAX; i++)
        if (finding_is_error(&board->findings[i]))
            return STOP_FINDING;
    return STOP_NONE;
}

static const char *reason_text(const struct board *board)
{
    return text_copy(board->control.reason, strnlen(board->control.reason, REASON_MAX));
}

static enum next refuse(struct exploration *out, const char *refusal, uint64_t site)
{
    out->stopped = STOP_REFUSED;
    out->refusal = refusal;
    out->refusal_site = site;
    return NEXT_FINISH;
}

static const char *how_it_ended(int status)
{
    if (WIFSIGNALED(status))
        return text_print("killed by SIG%s", sigabbrev_np(WTERMSIG(status)));
    return text_print("exit status %d", WEXITSTATUS(status));
}

static const char *first_line(int fd)
{
    size_t count = 0;
    char *text = fd < 0 ? NULL : text_of_file(fd, &count);
    if (text == NULL || count == 0)
        return "";
    return text_print(": %.*s", (int)strcspn(text, "\n"), text);
}

static enum next died_early(struct watch *watch, int status, const struct job *job,
                            struct problem *why)
{
    bool outsider = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (++watch->failed_starts < (outsider ? KILLS_TO_BELIEVE : STARTS_MAX))
        return NEXT_START;
    problem_is(why,
               text_print("%s does not come up under bohr (%s)%s", job->name, how_it_ended(status),
                          first_line(watch->start_errors)),
               NULL, 0);
    return NEXT_FAIL;
}

/* Started again, the next worker repeats the execution in flight; what dies there time and again
 * is the execution's fault. */
static enum next died_searching(struct watch *watch, int status, struct board *board,
                                const struct job *job, struct exploration *out, struct problem *why)
{
    watch->failed_starts = 0;
    if (board->journal.sequence != watch->sequence)
        watch->deaths_there = 0;
    watch->sequence = board->journal.sequence;
    watch->deaths_there++;
    out->deaths++;
    bool outsider = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    uint32_t believed = outsider ? KILLS_TO_BELIEVE : DEATHS_TO_BELIEVE;
    if (watch->deaths_there >= (watch->killed_for_hang ? HANGS_MAX : believed + DEATHS_MORE)) {
        problem_is(why,
                   text_print("%s %s", job->name,
                              watch->killed_for_hang
                                  ? "hangs where not even the runtime can stop it"
                                  : text_print("ends its process again and again (%s)",
                                               how_it_ended(status))),
                   NULL, 0);
        return NEXT_FAIL;
    }
    if (watch->killed_for_hang) {
        board->control.poison = POISON_HANG;
        return NEXT_START;
    }
    if (watch->deaths_there < believed)
        return NEXT_START;
    if (!WIFSIGNALED(status))
        return refuse(out,
                      text_print("it ends its process by a system call of its own (%s)",
                                 how_it_ended(status)),
                      0);
    board->control.poison = (uint32_t)WTERMSIG(status);
    return NEXT_START;
}

static enum next worker_ended(struct watch *watch, int status, const struct job *job,
                              struct board *board, struct budget *budget, struct exploration *out,
                              struct problem *why)
{
    switch ((enum worker_status)board->control.status) {
    case WORKER_DONE:
        out->stopped = reason_to_stop(board, budget);
        return NEXT_FINISH;
    case WORKER_AGAIN:
    case WORKER_GROW:
        return NEXT_START;
    case WORKER_FALLBACK:
        if (board->options.isolate != ISOLATE_AUTO)
            return refuse(out, text_print("%s: use --isolate fork", reason_text(board)),
                          board->control.reason_site);
        out->fallback = reason_text(board);
        board->options.isolate = ISOLATE_FORK;
        return NEXT_START;
    case WORKER_REFUSED:
        return refuse(out, reason_text(board), board->control.reason_site);
    case WORKER_BROKEN:
        problem_is(why, reason_text(board), NULL, 0);
        return NEXT_FAIL;
    case WORKER_NONE:
    case WORKER_SEARCHING:
        if (budget->stopped != STOP_NONE) {
            out->stopped = budget->stopped;
            return NEXT_FINISH;
        }
        if (board->started == watch->started)
            return died_early(watch, status, job, why);
        return died_searching(watch, status, board, job, out, why);
    case WORKER_STATUSES:
        break;
    }
    problem_is(why,
               "the tested program overwrote the memory in which results are kept; "
               "try --isolate fork",
               NULL, 0);
    return NEXT_FAIL;
}

static bool start(struct watch *watch, struct worker_pool *pool, const struct board_handle *handle,
                  struct worker_output to, struct budget *budget, struct problem *why)
{
    watch->started = handle->board->started;
    watch->killed_for_hang = false;
    if (to.output >= 0)
        if (ftruncate(to.output, 0) != 0 || lseek(to.output, 0, SEEK_SET) != 0)
            return problem_is(why, "cannot keep the program's output", NULL, 0);
    if (to.errors >= 0)
        if (ftruncate(to.errors, 0) != 0 || lseek(to.errors, 0, SEEK_SET) != 0)
            return problem_is(why, "cannot keep the program's output", NULL, 0);
    if (watch->failed_starts == STARTS_MAX - 1 && watch->start_errors < 0)
        watch->start_errors = memfd_create("bohr-errors", MFD_CLOEXEC);
    if (to.errors < 0)
        to.errors = watch->start_errors;
    watch->worker = worker_start(pool, handle, to, why);
    budget_rest(budget);
    return watch->worker != NULL;
}

static void urge(const struct worker *worker, const struct board *board)
{
    uint32_t child = __atomic_load_n(&board->control.child, __ATOMIC_RELAXED);
    kill(child != 0 && getpgid((pid_t)child) == worker->pid ? (pid_t)child : worker->pid, SIGURG);
}

static void look(struct watch *watch, struct budget *budget, struct board *board)
{
    switch (budget_look(budget, board)) {
    case BUDGET_GO_ON:
        return;
    case BUDGET_URGE:
        urge(watch->worker, board);
        return;
    case BUDGET_KILL:
        watch->killed_for_hang = true;
        worker_kill(watch->worker);
        return;
    }
}

static enum next attend(struct watch *watch, struct worker_pool *pool, struct board *board,
                        struct budget *budget, struct exploration *out, struct problem *why)
{
    const struct job *job = pool->job;
    for (;;) {
        struct pool_event event = worker_pool_wait(pool, TICK_MS);
        switch (event.kind) {
        case POOL_QUIET:
            look(watch, budget, board);
            if (job->tick != NULL)
                job->tick(job->context, board, budget_seconds(budget));
            break;
        case POOL_INTERRUPTED:
            if (budget->stopped == STOP_INTERRUPT)
                worker_kill(watch->worker); /* asked twice */
            budget_interrupt(budget, board);
            break;
        case POOL_ENDED:
            return worker_ended(watch, event.status, job, board, budget, out, why);
        }
    }
}

bool explore(struct worker_pool *pool, const struct board_handle *handle, struct worker_output to,
             struct budget *budget, struct exploration *out, struct problem *why)
{
    struct watch watch = {.start_errors = -1};
    struct board *board = handle->board;
    memset(out, 0, sizeof *out);
    enum next next = NEXT_START;
    while (next == NEXT_START) {
        if (pool->job->tick != NULL)
            pool->job->tick(pool->job->context, board, budget_seconds(budget));
        if (budget_look(budget, board) == BUDGET_GO_ON && budget->stopped != STOP_NONE) {
            out->stopped = budget->stopped;
            break;
        }
        next = start(&watch, pool, handle, to, budget, why)
                   ? attend(&watch, pool, board, budget, out, why)
                   : NEXT_FAIL;
    }
    if (watch.start_errors >= 0)
        close(watch.start_errors);
    board_settle(board);
    out->seconds = budget_seconds(budget);
    return next != NEXT_FAIL && board_is_sound(handle, why);
}
