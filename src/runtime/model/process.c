#define _GNU_SOURCE
#include "runtime/model/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "base/os.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/memory.h"
#include "runtime/model/alert.h"
#include "runtime/model/child.h"
#include "runtime/model/disposition.h"
#include "runtime/model/inherit.h"
#include "runtime/object.h"
#include "runtime/real.h"
#include "runtime/refuse.h"
#include "runtime/scheduler.h"

extern char **environ;

enum {
    FIRST_CHILD = 20001,     /* far from the threads' numbers */
    PATIENCE_MS = 4000,      /* for a child that is waited for */
    LAST_PATIENCE_MS = 1000, /* for one that is left when the execution is over */
    POLLS = 1u << 31,        /* in op.second: the wait does not block */
    OF_GROUP = 0,
};

static int fails(int error)
{
    errno = error;
    return -1;
}

/* Signals are ours no more: what the program asked for becomes the kernel's. */
static void hand_over_signals(void)
{
    int (*set)(int, const struct sigaction *, struct sigaction *) =
        (int (*)(int, const struct sigaction *, struct sigaction *))real_symbol("sigaction");
    for (int number = 1; number < SIGNALS_END; number++) {
        const struct sigaction *action = disposition_of(number);
        if (action->sa_handler != SIG_DFL)
            set(number, action, NULL);
    }
    uint64_t blocked = ex.me->signals.blocked;
    os_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&blocked, 0, 8, 0, 0);
}

static void became_child(void)
{
    if (!controlled || !rt.forking)
        return;
    rt.forking = rt.running = false;
    rt.child = FIRST_CHILD + (int)ex.process_count;
    interpose_child();
    hand_over_signals();
}

void processes_open(void)
{
    int (*add)(void (*)(void), void (*)(void), void (*)(void), void *) = (int (*)(
        void (*)(void), void (*)(void), void (*)(void), void *))real_symbol("__register_atfork");
    add(NULL, NULL, became_child, NULL);
}

static void announce_start(const char *call, bool (*shares)(void), uintptr_t site)
{
    uint32_t object = object_number(&ex.processes);
    announce_on(OP_PROCESS, object, site);
    step_touch(object, OP_ACCESS_WRITE);
    if (shares())
        refuse_call(call,
                    "the program has sockets or other files open that other processes cannot "
                    "share; close them first, or let system or popen close them (O_CLOEXEC)",
                    site);
}

static struct child *add(int process)
{
    struct child *child = execution_take(sizeof *child);
    *child = (struct child){.process = process, .number = FIRST_CHILD + (int)ex.process_count++};
    struct child **end = &ex.processes;
    while (*end != NULL)
        end = &(*end)->next;
    *end = child;
    return child;
}

static struct child *add_watched(int process, uintptr_t site)
{
    struct child *child = add(process);
    child_watch(child, site);
    return child;
}

static struct child *find(int number)
{
    struct child *child = ex.processes;
    while (child != NULL && (child->number != number || child->reaped))
        child = child->next;
    return child;
}

int process_kernel(int number)
{
    struct child *child = find(number);
    return child == NULL || child->ended ? -1 : child->process;
}

bool process_is_gone(int number)
{
    bool given = number >= FIRST_CHILD && number < FIRST_CHILD + (int)ex.process_count;
    return given && find(number) == NULL;
}

/* A child of ours that makes system calls only; -1 in `input` or `output`: as the program's. */
static int start_shell(const char *command, int input, int output, bool shares)
{
    const char *arguments[] = {"sh", "-c", "--", command, NULL};
    int process = (int)os_call(SYS_fork, 0, 0, 0, 0, 0, 0);
    if (process != 0)
        return process;
    rt.running = false;
    hand_over_signals();
    if (shares)
        inherit_in_child();
    if (input >= 0)
        os_call(SYS_dup2, input, 0, 0, 0, 0, 0);
    if (output >= 0)
        os_call(SYS_dup2, output, 1, 0, 0, 0, 0);
    os_call(SYS_execve, (long)"/bin/sh", (long)arguments, (long)environ, 0, 0, 0);
    os_exit(127);
}

static bool ask(struct child *child, bool wait)
{
    if (child->ended)
        return true;
    int status = 0;
    long got = os_call(SYS_wait4, child->process, (long)&status, wait ? 0 : WNOHANG, 0, 0, 0);
    if (got == 0 || got == -EINTR)
        return false;
    child->ended = true;
    if (got == child->process)
        child->status = status;
    else
        child->reaped = true; /* somebody else was told */
    return true;
}

static void sleep_really(long nanoseconds)
{
    struct timespec time = {.tv_nsec = nanoseconds};
    os_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
}

static bool await_end(struct child *child, uint64_t patience_ms)
{
    uint64_t end = os_nanoseconds() + patience_ms * 1000000;
    long pause = 50000;
    while (!ask(child, false)) {
        if (os_nanoseconds() >= end)
            return false;
        sleep_really(pause);
        __atomic_fetch_add(&the_board->control.beats, 1, __ATOMIC_RELAXED);
        if (pause < 1000000)
            pause *= 2;
    }
    if (the_board->control.status != WORKER_SEARCHING)
        os_exit(0); /* the child did what we refuse */
    return true;
}

void child_must_end(struct child *child, const char *call, uintptr_t site)
{
    if (!await_end(child, PATIENCE_MS))
        refuse_call(call,
                    "a child process has not ended after some seconds: only children that "
                    "end by themselves are modelled; let it need nothing from the program",
                    site);
}

/* The child has pipes of the program's: what it writes is there when the call returns. */
static void share_until_end(struct child *child, const char *call, uintptr_t site)
{
    inherit_in_parent();
    uint64_t end = os_nanoseconds() + PATIENCE_MS * 1000000ul;
    while (!inherit_drain()) {
        if (os_nanoseconds() >= end)
            refuse_call(call,
                        "a child process has not closed its end of a pipe after some seconds: "
                        "only children that need nothing from the program are modelled; let "
                        "it not read from the program's pipes",
                        site);
        sleep_really(50000);
        __atomic_fetch_add(&the_board->control.beats, 1, __ATOMIC_RELAXED);
    }
    if (child != NULL && inherit_bridges())
        child_must_end(child, call, site);
    inherit_close();
}

int process_fork(uintptr_t site)
{
    announce_start("fork", inherit_cannot, site);
    bool shares = files_are_open();
    if (shares)
        inherit_open("fork", site);
    rt.forking = true;
    int process = real_fork();
    if (process == 0) {
        became_child();
        if (shares)
            inherit_in_child();
        return 0;
    }
    rt.forking = false;
    struct child *child = process < 0 ? NULL : add_watched(process, site);
    if (shares)
        share_until_end(child, "fork", site);
    return process < 0 ? process : child->number;
}

int process_spawn(int *process, int (*spawn)(void *context, int *process), void *context,
                  uintptr_t site)
{
    announce_start("posix_spawn", inherit_cannot, site);
    bool shares = files_are_open();
    if (shares) {
        inherit_open("posix_spawn", site);
        inherit_lend();
    }
    int kernel = 0, error = spawn(context, &kernel);
    if (shares)
        inherit_take_back();
    struct child *child = error != 0 ? NULL : add_watched(kernel, site);
    if (shares)
        share_until_end(child, "posix_spawn", site);
    if (error != 0)
        return error;
    if (process != NULL) {
        memory_access(process, sizeof *process, true, site);
        *process = child->number;
    }
    return 0;
}

static bool matches(const struct child *child, uint32_t which)
{
    return !child->reaped && (which == 0 || (uint32_t)child->number == which);
}

struct found {              /* among the children that a wait is about */
    uint32_t all, waitable; /* those that it can be told of */
    bool told;              /* … for sure: they have ended */
    bool may_fail;          /* a wait that does not block may find them all running: once */
};

static bool is_waitable(const struct child *child)
{
    return !child->watched || child->told;
}

static struct found find_matching(uint32_t which)
{
    struct found found = {0};
    for (struct child *child = ex.processes; child != NULL; child = child->next)
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
    for (struct child *child = ex.processes; child != NULL; child = child->next)
        if (matches(child, which)) {
            child->looked = true;
            child->seen = child->watched;
        }
}

static void forget_all(const char *call, uintptr_t site)
{
    for (struct child *child = ex.processes; child != NULL; child = child->next)
        if (!child->watched) {
            child_must_end(child, call, site);
            child->reaped = true;
        }
}

/* The child that the step is about; NULL: none has ended (*error 0), or there is none. `mine` ends
 * with the call if that is cancelled. */
static struct child *wait_step(uint32_t which, bool polls, struct child *mine, const char *call,
                               uintptr_t site, int *error)
{
    uint32_t object = object_number(&ex.processes);
    ex.me->mutex = mine;
    bool done = announce_interruptible((struct op){.kind = OP_PROCESS_WAIT,
                                                   .choices = 1,
                                                   .object = object,
                                                   .second = which | (polls ? POLLS : 0),
                                                   .site = site},
                                       polls || mine != NULL ? NOT_INTERRUPTED : RESTARTED);
    uint32_t choice = step_choice();
    step_touch(object, OP_ACCESS_WRITE);
    struct found found = find_matching(which);
    *error = !done && !found.told ? EINTR : found.all == 0 ? ECHILD : 0;
    if (*error != 0)
        return NULL;
    struct child *child = ex.processes;
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

void process_abandon(void *mine)
{
    struct child *child = mine;
    os_call(SYS_kill, child->process, SIGKILL, 0, 0, 0, 0);
    while (!ask(child, true))
        continue;
    child->reaped = true;
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
        return fails(EINVAL);
    if (!which_of(process, &which))
        return fails(ECHILD);
    struct child *child = wait_step(which, options & WNOHANG, NULL, "waitpid", site, &error);
    if (child == NULL)
        return error != 0 ? fails(error) : 0;
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
                   : fails(EINVAL);
    if (kind == P_PIDFD)
        refuse_call("waitid", "descriptors of processes are not modelled; wait with P_PID", site);
    if (kind != P_ALL && kind != P_PID && kind != P_PGID)
        return fails(EINVAL);
    int error = 0;
    uint32_t which = kind == P_PID ? (uint32_t)id : 0;
    if (kind == P_PGID && id != OF_GROUP && id != identity_process())
        return fails(ECHILD);
    struct child *child = wait_step(which, options & WNOHANG, NULL, "waitid", site, &error);
    if (error != 0)
        return fails(error);
    if (child != NULL && !(options & WNOWAIT))
        child->reaped = true;
    if (info != NULL) {
        memory_access(info, sizeof(siginfo_t), true, site);
        child_describe(child, info);
    }
    signals_handle();
    return 0;
}

int process_shell(const char *command, uintptr_t site)
{
    if (command == NULL)
        return 1;
    announce_start("system", inherit_cannot_over_exec, site);
    bool shares = files_are_inherited();
    if (shares)
        inherit_open("system", site);
    int process = start_shell(command, -1, -1, shares);
    struct child *child = process < 0 ? NULL : add_watched(process, site);
    if (shares)
        share_until_end(child, "system", site);
    if (child == NULL)
        return fails(-process);
    uint64_t before = ex.me->signals.blocked;
    ex.me->signals.blocked |= 1ul << (SIGCHLD - 1);
    int error;
    child = wait_step((uint32_t)child->number, false, child, "system", site, &error);
    if (child != NULL)
        child->reaped = true;
    signals_block(before);
    return child == NULL ? fails(error) : child->status;
}

void *process_pipe(const char *command, const char *mode, uintptr_t site)
{
    bool reads = false, writes = false, keeps = true;
    for (const char *at = mode; *at != 0; at++) {
        reads |= *at == 'r';
        writes |= *at == 'w';
        keeps &= *at != 'e';
        if (*at != 'r' && *at != 'w' && *at != 'e')
            reads = writes = true;
    }
    if (reads == writes) {
        errno = EINVAL;
        return NULL;
    }
    announce_start("popen", inherit_cannot_over_exec, site);
    world_descriptors();
    bool shares = files_are_inherited();
    if (shares)
        inherit_open("popen", site);
    int ends[2];
    long error = os_call(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0);
    int ours = ends[reads ? 0 : 1], theirs = ends[reads ? 1 : 0];
    int process = error < 0
                      ? (int)error
                      : start_shell(command, reads ? -1 : theirs, reads ? theirs : -1, shares);
    if (error == 0)
        os_close(theirs);
    if (error == 0 && process < 0)
        os_close(ours);
    struct child *child = process < 0 ? NULL : add_watched(process, site);
    if (shares)
        share_until_end(child, "popen", site);
    if (child == NULL) {
        errno = -process;
        return NULL;
    }
    if (keeps)
        os_call(SYS_fcntl, ours, F_SETFD, 0, 0, 0, 0);
    FILE *(*open_stream)(int, const char *) = (FILE * (*)(int, const char *)) real_symbol("fdopen");
    child->stream = open_stream(ours, reads ? "r" : "w");
    return child->stream;
}

int process_unpipe(void *stream, uintptr_t site)
{
    struct child *child = ex.processes;
    while (child != NULL && child->stream != stream)
        child = child->next;
    if (child == NULL)
        return fails(ECHILD);
    int (*close_stream)(void *) = (int (*)(void *))real_symbol("fclose");
    child->stream = NULL;
    close_stream(stream);
    int error;
    bool disabled = ex.me->cancel.disabled;
    ex.me->cancel.disabled = true; /* this is no cancellation point */
    struct child *ended = wait_step((uint32_t)child->number, false, NULL, "pclose", site, &error);
    ex.me->cancel.disabled = disabled;
    if (ended == NULL)
        return fails(error);
    ended->reaped = true;
    return ended->status;
}

/* A pipe that exec closes tells whether it came to that. */
static struct {
    int ends[2];
    struct child *child;
} new_program;

bool exec_begin(uintptr_t site)
{
    end_begin(site);
    os_call(SYS_pipe2, (long)new_program.ends, O_CLOEXEC, 0, 0, 0, 0);
    int process = (int)os_call(SYS_fork, 0, 0, 0, 0, 0, 0);
    if (process < 0)
        refuse_call("exec", "there is no room for another process; raise the limit (ulimit -u)",
                    site);
    if (process > 0) {
        new_program.child = add(process);
        os_close(new_program.ends[1]);
        return false;
    }
    rt.running = false;
    rt.child = identity_process();
    hand_over_signals();
    return true;
}

_Noreturn void exec_failed(int error)
{
    os_write(new_program.ends[1], &error, sizeof error);
    os_exit(127);
}

int exec_end(void)
{
    int error = 0;
    long got;
    do
        got = os_read(new_program.ends[0], &error, sizeof error);
    while (got == -EINTR);
    os_close(new_program.ends[0]);
    struct child *child = new_program.child;
    uintptr_t site = ex.pending[ex.current].site;
    child_must_end(child, "exec", site);
    child->reaped = true;
    if (got == (long)sizeof error)
        return fails(error);
    int status = child->status;
    end_finish(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

void processes_end(void)
{
    for (struct child *child = ex.processes; child != NULL; child = child->next) {
        if (await_end(child, LAST_PATIENCE_MS))
            continue;
        os_call(SYS_kill, child->process, SIGKILL, 0, 0, 0, 0);
        while (!ask(child, true))
            continue;
    }
    ex.processes = NULL;
}
