#include "coordinator/search/explore.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "coordinator/search/always.h"
#include "coordinator/share/census.h"
#include "coordinator/share/contributions.h"
#include "coordinator/share/crew.h"
#include "coordinator/share/merge.h"

enum {
    TICK_MS = 50,
    CREW_TICK_MS = 2, /* the longest that a worker waits for another's work */
};

#define GLANCE_SECONDS 0.2

struct run {
    struct crew crew;
    const struct board_handle *boards;
    struct census census;
    double glanced; /* when the progress was last shown */
    struct worker_pool *pool;
    struct worker_output to;
    struct budget *budget;
    struct exploration *out;
};

static enum stop_reason reason_to_stop(const struct board *board, const struct budget *budget)
{
    if (board->tally.complete)
        return STOP_NONE;
    if (budget->stopped != STOP_NONE)
        return budget->stopped;
    if (board->options.executions_max > 0 &&
        board->tally.executions + board->tally.cut >= board->options.executions_max)
        return STOP_EXECUTIONS;
    return board_has_error(board) && !board->options.keep_going ? STOP_FINDING : STOP_NONE;
}

static void tick(struct run *run)
{
    const struct job *job = run->pool->job;
    double seconds = budget_seconds(run->budget);
    if (job->tick == NULL || run->boards[0].board->options.target != 0)
        return; /* progress is not shown while a finding is shrunk */
    if (seconds - run->glanced < GLANCE_SECONDS)
        return;
    struct glance glance;
    census_take(&run->census, &run->crew, &glance);
    glance.leader = contributions_leader(run->boards, run->crew.count);
    job->tick(job->context, &glance, seconds);
    run->glanced = seconds;
}

static bool start(struct run *run, struct member *member, struct problem *why)
{
    tick(run);
    if (budget_is_spent(run->budget)) {
        member->finished = true;
        crew_leave(&run->crew);
        return true;
    }
    if (run->out->fallback != NULL)
        member->board->options.isolate = ISOLATE_FORK;
    return member_start(member, run->pool, run->to, why);
}

/* A change that reset cannot undo for one worker it cannot undo for any. */
static void recall_others(struct run *run)
{
    for (uint32_t i = 0; i < run->crew.count; i++) {
        struct member *member = &run->crew.members[i];
        if (member->worker != NULL && member->board->options.isolate == ISOLATE_AUTO)
            member_recall(member);
    }
}

static bool ended(struct run *run, const struct pool_event *event, struct problem *why)
{
    struct member *member = crew_member_of(&run->crew, event->worker);
    bool had_fallen_back = run->out->fallback != NULL;
    member->worker = NULL;
    switch (member_ended(member, event->status, run->pool->job, run->crew.leaving, run->out, why)) {
    case NEXT_START:
        if (!had_fallen_back && run->out->fallback != NULL)
            recall_others(run);
        return start(run, member, why);
    case NEXT_FINISH:
        member->finished = true;
        crew_leave(&run->crew);
        return true;
    case NEXT_FAIL:
        return false;
    }
    UNREACHABLE();
}

static void interrupted(struct run *run)
{
    bool twice = run->budget->stopped == STOP_INTERRUPT;
    budget_interrupt(run->budget);
    crew_leave(&run->crew);
    for (uint32_t i = 0; twice && i < run->crew.count; i++)
        if (run->crew.members[i].worker != NULL)
            worker_kill(run->crew.members[i].worker);
}

static bool waits_on_conditions(const struct run *run)
{
    for (uint32_t i = 0; i < run->crew.count; i++)
        if (run->crew.members[i].board->tally.waits)
            return true;
    return false;
}

static void look(struct run *run)
{
    if (run->budget->early_limit > 0 && waits_on_conditions(run))
        budget_end_early(run->budget);
    if (budget_is_spent(run->budget))
        crew_leave(&run->crew);
    for (uint32_t i = 0; i < run->crew.count; i++)
        if (run->crew.members[i].worker != NULL)
            member_look(&run->crew.members[i], run->budget->hang_seconds,
                        run->budget->stopped != STOP_NONE);
    tick(run);
}

static bool attend(struct run *run, struct problem *why)
{
    while (!crew_is_finished(&run->crew)) {
        struct pool_event event =
            worker_pool_wait(run->pool, run->crew.count > 1 ? CREW_TICK_MS : TICK_MS);
        switch (event.kind) {
        case POOL_QUIET:
            look(run);
            break;
        case POOL_INTERRUPTED:
            interrupted(run);
            break;
        case POOL_ENDED:
            if (!ended(run, &event, why))
                return false;
            break;
        }
        if (!crew_tend(&run->crew, why))
            return false;
        census_follow(&run->census, &run->crew);
    }
    return true;
}

/* Whether the search stopped at a limit or was interrupted, with work left to do. */
static bool can_go_on(const struct run *run)
{
    const struct crew *crew = &run->crew;
    const struct board *first = crew->members[0].board;
    uint64_t executions = 0;
    if (run->out->stopped != STOP_NONE || crew->over)
        return false;
    if (crew->count == 1 && first->opened && !first->planned)
        return false;
    for (uint32_t i = 0; i < crew->count; i++) {
        const struct board *board = crew->members[i].board;
        if (!board->options.keep_going && board_has_error(board))
            return false;
        executions += board->tally.executions + board->tally.cut;
    }
    return run->budget->stopped != STOP_NONE ||
           (first->options.executions_max > 0 && executions >= first->options.executions_max);
}

/* Tells all workers the counts of executions from which each goes on. */
static bool tell_counts(const struct run *run, struct problem *why)
{
    for (uint32_t i = 0; i < run->crew.count; i++) {
        uint64_t executions = run->crew.members[i].board->tally.executions;
        off_t at = (off_t)offsetof(struct common, workers[i].executions);
        if (pwrite(run->pool->common, &executions, sizeof executions, at) != sizeof executions)
            return problem_is(why, "cannot write to shared memory", NULL, errno);
    }
    return true;
}

bool explore(struct worker_pool *pool, const struct board_handle *boards, uint32_t count,
             struct worker_output to, struct budget *budget, const struct leaving *leaving,
             struct exploration *out, struct problem *why)
{
    struct run run = {.boards = boards, .pool = pool, .to = to, .budget = budget, .out = out};
    memset(out, 0, sizeof *out);
    if (leaving != NULL)
        out->fallback = leaving->fallback;
    crew_open(&run.crew, boards, count, leaving == NULL ? NULL : leaving->left);
    bool good = count == 1 || (worker_pool_share(pool, why) && tell_counts(&run, why));
    for (uint32_t i = 0; good && i < count; i++)
        good = start(&run, &run.crew.members[i], why);
    good = good && attend(&run, why);
    for (uint32_t i = 0; i < count; i++)
        pool->busy |= boards[i].board->control.busy_count > 0;
    for (uint32_t i = 0; good && i < count; i++) {
        board_settle(boards[i].board);
        good = board_is_sound(&boards[i], why);
    }
    if (good && leaving != NULL && leaving->leave != NULL && can_go_on(&run)) {
        out->seconds = budget_seconds(budget);
        out->stopped = budget->stopped != STOP_NONE ? budget->stopped : STOP_EXECUTIONS;
        leaving->leave(leaving->context, &run.crew, out);
    }
    if (good && count > 1) {
        struct estimate estimate = census_estimate(&run.census, &run.crew);
        merge_crew(&run.crew);
        boards[0].board->tally.estimate = estimate;
    }
    if (out->fallback != NULL)
        boards[0].board->options.isolate = ISOLATE_FORK;
    if (good && out->stopped == STOP_NONE)
        out->stopped = reason_to_stop(boards[0].board, budget);
    crew_close(&run.crew);
    out->seconds = budget_seconds(budget);
    return good;
}
