#define _GNU_SOURCE
#include "coordinator/share/member.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coordinator/text.h"
#include "core/sum.h"

enum {
    STARTS_MAX = 3, /* workers in a row that never came up */
    /* deaths in one execution after which that execution is taken for the cause */
    DEATHS_TO_BELIEVE = 2,
    /* as DEATHS_TO_BELIEVE, for SIGKILL, which somebody else may have sent */
    KILLS_TO_BELIEVE = 50,
    DEATHS_MORE = 5, /* further deaths after which the search gives up */
    HANGS_MAX = 2, /* workers killed for a hang in one execution, after which the search gives up */
};

struct member member_open(const struct board_handle *handle)
{
    return (struct member){.handle = handle, .board = handle->board, .start_errors = -1};
}

void member_close(struct member *member)
{
    if (member->start_errors >= 0)
        close(member->start_errors);
    member->start_errors = -1;
}

bool member_rests(const struct member *member)
{
    const struct sharing *sharing = &member->board->sharing;
    return sharing->shared && __atomic_load_n(&sharing->rests, __ATOMIC_SEQ_CST) == sharing->bell;
}

static bool rewind_file(int fd)
{
    return fd < 0 || (ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
}

bool member_start(struct member *member, struct worker_pool *pool, struct worker_output to,
                  struct problem *why)
{
    member->started = member->board->started;
    member->killed_for_hang = member->recalled = false;
    if (!rewind_file(to.output) || !rewind_file(to.errors))
        return problem_is(why, "cannot keep the program's output", NULL, 0);
    if (member->failed_starts == STARTS_MAX - 1 && member->start_errors < 0)
        member->start_errors = memfd_create("bohr-errors", MFD_CLOEXEC);
    if (to.errors < 0)
        to.errors = member->start_errors;
    member->worker = worker_start(pool, member->handle, to, why);
    pulse_rest(&member->pulse);
    return member->worker != NULL;
}

/* The process of the execution in flight. */
static pid_t running(const struct member *member)
{
    uint32_t child = __atomic_load_n(&member->board->control.child, __ATOMIC_RELAXED);
    pid_t worker = member->worker->pid;
    return child != 0 && getpgid((pid_t)child) == worker ? (pid_t)child : worker;
}

static void urge(const struct member *member, enum urge why)
{
    __atomic_store_n(&member->board->control.urge, (uint32_t)why, __ATOMIC_SEQ_CST);
    kill(running(member), SIGURG);
}

void member_look(struct member *member, double hang_seconds, bool late)
{
    if (member_rests(member)) {
        pulse_rest(&member->pulse);
        return;
    }
    switch (pulse_look(&member->pulse, member->board, running(member), hang_seconds)) {
    case PULSE_GO_ON:
        return;
    case PULSE_NUDGE:
        urge(member, late ? URGE_LATE : URGE_LOOK);
        return;
    case PULSE_URGE:
        urge(member, URGE_HANG);
        return;
    case PULSE_KILL:
        member->killed_for_hang = true;
        worker_kill(member->worker);
        return;
    }
}

void member_recall(struct member *member)
{
    member->recalled = true;
    worker_kill(member->worker);
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

static enum next died_early(struct member *member, int status, const struct job *job,
                            struct problem *why)
{
    bool outsider = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (++member->failed_starts < (outsider ? KILLS_TO_BELIEVE : STARTS_MAX))
        return NEXT_START;
    problem_is(why,
               text_print("%s does not come up under bohr (%s)%s", job->name, how_it_ended(status),
                          first_line(member->start_errors)),
               NULL, 0);
    return NEXT_FAIL;
}

/* The next worker repeats the execution in flight. If workers die there again and again, the
 * execution is to blame. */
static enum next died_searching(struct member *member, int status, const struct job *job,
                                struct exploration *out, struct problem *why)
{
    struct board *board = member->board;
    member->failed_starts = 0;
    if (member_rests(member))
        return NEXT_START; /* no execution was in flight */
    if (board->journal.sequence != member->sequence)
        member->deaths_there = 0;
    member->sequence = board->journal.sequence;
    member->deaths_there++;
    out->deaths++;
    bool outsider = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    uint32_t believed = outsider ? KILLS_TO_BELIEVE : DEATHS_TO_BELIEVE;
    if (member->deaths_there >= (member->killed_for_hang ? HANGS_MAX : believed + DEATHS_MORE)) {
        problem_is(why,
                   text_print("%s %s", job->name,
                              member->killed_for_hang
                                  ? "hangs where not even the runtime can stop it"
                                  : text_print("ends its process again and again (%s)",
                                               how_it_ended(status))),
                   NULL, 0);
        return NEXT_FAIL;
    }
    if (member->killed_for_hang) {
        board->control.poison = POISON_HANG;
        return NEXT_START;
    }
    if (member->deaths_there < believed)
        return NEXT_START;
    if (!WIFSIGNALED(status))
        return refuse(out,
                      text_print("it ends its process by a system call of its own (%s)",
                                 how_it_ended(status)),
                      0);
    board->control.poison = (uint32_t)WTERMSIG(status);
    return NEXT_START;
}

enum next member_ended(struct member *member, int status, const struct job *job, bool stopping,
                       struct exploration *out, struct problem *why)
{
    struct board *board = member->board;
    switch ((enum worker_status)board->control.status) {
    case WORKER_DONE:
        return NEXT_FINISH;
    case WORKER_AGAIN:
    case WORKER_GROW:
        return NEXT_START;
    case WORKER_FALLBACK:
        if (board->options.isolate != ISOLATE_AUTO)
            return refuse(out,
                          text_print(board->options.plain_loops
                                         ? "%s: states cannot be compared then"
                                         : "%s: use --isolate fork",
                                     reason_text(board)),
                          board->control.reason_site);
        out->fallback = reason_text(board);
        return NEXT_START;
    case WORKER_REFUSED:
        return refuse(out, reason_text(board), board->control.reason_site);
    case WORKER_BROKEN:
        problem_is(why, reason_text(board), NULL, 0);
        return NEXT_FAIL;
    case WORKER_NONE:
    case WORKER_SEARCHING:
        if (stopping)
            return NEXT_FINISH;
        if (member->recalled)
            return NEXT_START;
        if (board->started == member->started)
            return died_early(member, status, job, why);
        return died_searching(member, status, job, out, why);
    case WORKER_STATUSES:
        break;
    }
    problem_is(why, DOES_NOT_ADD_UP "; try --isolate fork", NULL, 0);
    return NEXT_FAIL;
}
