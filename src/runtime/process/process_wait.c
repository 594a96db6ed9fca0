/* wait, waitpid and waitid, and how others wait for a child's end. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/os.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/memory/memory.h"
#include "runtime/process/process.h"
#include "runtime/process/process_parts.h"
#include "runtime/time/alert.h"
#include "runtime/time/signal.h"

enum {
    POLLS = 1u << 31, /* in op.second: the wait does not block */
    OF_GROUP = 0,
};

static bool matches(const struct child *child, uint32_t which)
{
    return !child->reaped && (which == 0 || (uint32_t)child->number == which);
}

struct found {              /* among the children that a wait is about */
    uint32_t all, waitable; /* those that it can be told of */
    bool told;              /* they have ended for sure */
    bool may_fail;          /* a wait that does not block may find them all running: once */
};

static bool is_waitable(const struct child *child)
{
    return !child->watched || child->told;
}

static struct found find_matching(uint32_t which)
{
    struct found found = {0};
    for (struct child *child = ex.process.processes; child != NULL; child = child->next)
        if (matches(child, which)) {
            found.all++;
            found.waitable += is_waitable(child);
            found.told |= child->told;
            found.may_fail |= !child->looked;
        }
    found.may_fail &= !found.told;
    return found;
}

bool process_can_wait(uint32_t second)
{
    struct found found = find_matching(second & ~POLLS);
    return found.all == 0 || found.waitable > 0 || (second & POLLS && found.may_fail);
}

bool process_is_told(uint32_t second)
{
    return find_matching(second & ~POLLS).told;
}

/* Any child may be the first to end; a wait that does not block may also come too early. */
uint16_t process_choices(thread_id waiting)
{
    uint32_t second = ex.pending[waiting].second;
    struct found found = find_matching(second & ~POLLS);
    uint32_t count = found.waitable + (second & POLLS && found.may_fail);
    return (uint16_t)(count == 0 ? 1 : count);
}

static void mark_looked(uint32_t which)
{
    for (struct child *child = ex.process.processes; child != NULL; child = child->next)
        if (matches(child, which)) {
            child->looked = true;
            child->seen = child->watched;
        }
}

static void forget_all(const char *call, uintptr_t site)
{
    for (struct child *child = ex.process.processes; child != NULL; child = child->next)
        if (!child->watched) {
            child_must_end(child, call, site);
            child->reaped = true;
        }
}

struct child *process_wait_step(uint32_t which, bool polls, struct child *mine, const char *call,
                                uintptr_t site, int *error)
{
    uint32_t object = object_number(&ex.process.processes);
    ex.me->mutex = mine;
    bool done = announce_interruptible((struct op){.kind = OP_PROCESS_WAIT,
                                                   .choices = 1,
                                                   .object = object,
                                                   .second = which | (polls ? POLLS : 0),
                                                   .site = site},
                                       polls || mine != NULL ? NOT_INTERRUPTED : RESTARTED);
    uint32_t choice = step_choice();
    step_touch(object, OP_ACCESS_WRITE);
    process_synchronise(object);
    struct found found = find_matching(which);
    *error = !done && !found.told ? EINTR : found.all == 0 ? ECHILD : 0;
    if (*error != 0)
        return NULL;
    struct child *child = ex.process.processes;
    for (; child != NULL; child = child->next)
        if (matches(child, which) && is_waitable(child) && choice-- == 0)
            break;
    if (child == NULL) {
        mark_looked(which);
        return NULL;
    }
    child_must_end(child, call, site);
    if (children_are_discarded()) /* then nobody is told, when all have ended */
        forget_all(call, site);
    if (child->reaped) {
        *error = ECHILD;
        return NULL;
    }
    return child;
}

static bool which_of(int process, uint32_t *which)
{
    *which = process > 0 ? (uint32_t)process : 0;
    return process >= -1 || process == -identity_process();
}

int process_wait(int process, int *status, int options, void *usage, uintptr_t site)
{
    uint32_t which;
    int error = 0;
    if (options & ~(WNOHANG | WUNTRACED | WCONTINUED))
        return process_fails(EINVAL);
    if (!which_of(process, &which))
        return process_fails(ECHILD);
    struct child *child =
        process_wait_step(which, options & WNOHANG, NULL, "waitpid", site, &error);
    if (child == NULL)
        return error != 0 ? process_fails(error) : 0;
    child->reaped = true;
    if (status != NULL) {
        memory_access(status, sizeof *status, true, site);
        *status = child->status;
    }
    if (usage != NULL) {
        memory_access(usage, sizeof(struct rusage), true, site);
        memset(usage, 0, sizeof(struct rusage));
    }
    int number = child->number;
    signals_handle(); /* of the child's end: it has been waited for first */
    return number;
}

void child_describe(const struct child *child, siginfo_t *info)
{
    memset(info, 0, sizeof *info);
    if (child == NULL)
        return;
    info->si_signo = SIGCHLD;
    info->si_pid = child->number;
    info->si_uid = (uid_t)os_call(SYS_getuid, 0, 0, 0, 0, 0, 0);
    info->si_code = WIFEXITED(child->status)   ? CLD_EXITED
                    : WCOREDUMP(child->status) ? CLD_DUMPED
                                               : CLD_KILLED;
    info->si_status =
        WIFEXITED(child->status) ? WEXITSTATUS(child->status) : WTERMSIG(child->status);
}

int process_waitid(int kind, int id, void *info, int options, uintptr_t site)
{
    if (!(options & WEXITED))
        return options & (WSTOPPED | WCONTINUED)
                   ? (refuse_call("waitid", "children that stop are not modelled; ask for WEXITED",
                                  site),
                      0)
                   : process_fails(EINVAL);
    if (kind == P_PIDFD)
        refuse_call("waitid", "descriptors of processes are not modelled; wait with P_PID", site);
    if (kind != P_ALL && kind != P_PID && kind != P_PGID)
        return process_fails(EINVAL);
    int error = 0;
    uint32_t which = kind == P_PID ? (uint32_t)id : 0;
    if (kind == P_PGID && id != OF_GROUP && id != identity_process())
        return process_fails(ECHILD);
    struct child *child = process_wait_step(which, options & WNOHANG, NULL, "waitid", site, &error);
    if (error != 0)
        return process_fails(error);
    if (child != NULL && !(options & WNOWAIT))
        child->reaped = true;
    if (info != NULL) {
        memory_access(info, sizeof(siginfo_t), true, site);
        child_describe(child, info);
    }
    signals_handle();
    return 0;
}
