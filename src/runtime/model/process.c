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
#include "runtime/model/disposition.h"
#include "runtime/model/inherit.h"
#include "runtime/object.h"
#include "runtime/real.h"
#include "runtime/refuse.h"
#include "runtime/scheduler.h"

extern char **environ;

enum {
    FIRST_CHILD = 20001,      /* far from the threads' numbers */
    PATIENCE_MS = 4000,       /* for a child that is waited for */
    LAST_PATIENCE_MS = 1000,  /* for one that is left when the execution is over */
    POLLS = 1u << 31,         /* in op.second: the wait does not block */
    OF_GROUP = 0,
};

struct child {
    struct child *next; /* in the order in which they were started */
    void *stream;       /* of popen */
    int number, process; /* ours, the kernel's */
    int status;
    bool ended;  /* status is known, the kernel has forgotten it */
    bool reaped; /* … and the program has been told */
    bool looked; /* the program was told once that it still runs */
};

static char table; /* stands for the kernel's list of processes, which all of this reads and writes */

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
    int (*add)(void (*)(void), void (*)(void), void (*)(void), void *) =
        (int (*)(void (*)(void), void (*)(void), void (*)(void), void *))real_symbol(
            "__register_atfork");
    add(NULL, NULL, became_child, NULL);
}

static void announce_start(const char *call, bool (*shares)(void), uintptr_t site)
{
    uint32_t object = object_number(&table);
    announce_on(OP_PROCESS, object, site);
    step_touch(object, OP_ACCESS_WRITE);
    if (signal_has_handler(SIGCHLD))
        refuse_call(call, "a handler of SIGCHLD is not modelled; call waitpid instead", site);
    if (shares())
        refuse_call(call, "the program has pipes or sockets open, which other processes cannot share; "
                          "close them first, or let system or popen close them (O_CLOEXEC)",
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

int process_spawn(int *process, int (*spawn)(void *context, int *process), void *context,
                  uintptr_t site)
{
    announce_start("posix_spawn", files_are_open, site);
    int kernel = 0, error = spawn(context, &kernel);
    if (error != 0)
        return error;
    int number = add(kernel)->number;
    if (process != NULL) {
        memory_access(process, sizeof *process, true, site);
        *process = number;
    }
    return 0;
}

/* A child of ours that makes system calls only; -1 in `input` or `output`: as the program's. */
static int start_shell(const char *command, int input, int output)
{
    const char *arguments[] = {"sh", "-c", "--", command, NULL};
    int process = (int)os_call(SYS_fork, 0, 0, 0, 0, 0, 0);
    if (process != 0)
        return process;
    rt.running = false;
    hand_over_signals();
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

static void must_end(struct child *child, const char *call, uintptr_t site)
{
    if (!await_end(child, PATIENCE_MS))
        refuse_call(call, "a child process has not ended after some seconds: only children that "
                          "end by themselves are modelled; let it need nothing from the program",
                    site);
}

/* The child has pipes of the program's: what it writes is there when fork returns. */
static void run_to_end(struct child *child, uintptr_t site)
{
    uint64_t end = os_nanoseconds() + PATIENCE_MS * 1000000ul;
    while (!inherit_drain()) {
        if (os_nanoseconds() >= end)
            refuse_call("fork", "a child process has not closed its end of a pipe after some seconds: "
                                "only children that need nothing from the program are modelled; let "
                                "it not read from the program's pipes",
                        site);
        sleep_really(50000);
        __atomic_fetch_add(&the_board->control.beats, 1, __ATOMIC_RELAXED);
    }
    if (child != NULL)
        must_end(child, "fork", site);
    inherit_close();
}

int process_fork(uintptr_t site)
{
    announce_start("fork", inherit_cannot, site);
    bool shares = files_are_open();
    if (shares)
        inherit_open(site);
    rt.forking = true;
    int process = real_fork();
    if (process == 0) {
        became_child();
        if (shares)
            inherit_in_child();
        return 0;
    }
    rt.forking = false;
    if (shares)
        inherit_in_parent();
    struct child *child = process < 0 ? NULL : add(process);
    if (shares)
        run_to_end(child, site);
    return process < 0 ? process : child->number;
}

static bool matches(const struct child *child, uint32_t which)
{
    return !child->reaped && (which == 0 || (uint32_t)child->number == which);
}

static uint32_t count_matching(uint32_t which, bool *all_looked)
{
    uint32_t count = 0;
    *all_looked = true;
    for (struct child *child = ex.processes; child != NULL; child = child->next)
        if (matches(child, which)) {
            count++;
            *all_looked &= child->looked;
        }
    return count;
}

/* Any child may be the first to end; a wait that does not block may also come too early, once. */
uint16_t process_choices(thread_id waiting)
{
    uint32_t second = ex.pending[waiting].second;
    bool all_looked;
    uint32_t count = count_matching(second & ~POLLS, &all_looked);
    if (count > 0 && (second & POLLS) && !all_looked)
        count++;
    return (uint16_t)(count == 0 ? 1 : count);
}

static void mark_looked(uint32_t which)
{
    for (struct child *child = ex.processes; child != NULL; child = child->next)
        if (matches(child, which))
            child->looked = true;
}

static void forget_all(const char *call, uintptr_t site)
{
    for (struct child *child = ex.processes; child != NULL; child = child->next) {
        must_end(child, call, site);
        child->reaped = true;
    }
}

/* The child that the step is about; NULL: none has ended (*error 0), or there is none. `mine` ends with
 * the call if that is cancelled. */
static struct child *wait_step(uint32_t which, bool polls, struct child *mine, const char *call,
                               uintptr_t site, int *error)
{
    uint32_t object = object_number(&table);
    ex.me->mutex = mine;
    announce((struct op){.kind = OP_PROCESS_WAIT, .choices = 1, .object = object,
                         .second = which | (polls ? POLLS : 0), .site = site});
    uint32_t choice = step_choice();
    step_touch(object, OP_ACCESS_WRITE);
    bool all_looked;
    *error = count_matching(which, &all_looked) == 0 ? ECHILD : 0;
    if (*error != 0)
        return NULL;
    struct child *child = ex.processes;
    for (; child != NULL; child = child->next)
        if (matches(child, which) && choice-- == 0)
            break;
    if (child == NULL) {
        mark_looked(which);
        return NULL;
    }
    must_end(child, call, site);
    if (disposition_of(SIGCHLD)->sa_handler == SIG_IGN) /* then nobody is told, when all have ended */
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
    return child->number;
}

static void tell(siginfo_t *info, const struct child *child)
{
    memset(info, 0, sizeof *info);
    if (child == NULL)
        return;
    info->si_signo = SIGCHLD;
    info->si_pid = child->number;
    info->si_uid = (uid_t)os_call(SYS_getuid, 0, 0, 0, 0, 0, 0);
    info->si_code = WIFEXITED(child->status)     ? CLD_EXITED
                    : WCOREDUMP(child->status) ? CLD_DUMPED
                                               : CLD_KILLED;
    info->si_status =
        WIFEXITED(child->status) ? WEXITSTATUS(child->status) : WTERMSIG(child->status);
}

int process_waitid(int kind, int id, void *info, int options, uintptr_t site)
{
    if (!(options & WEXITED))
        return options & (WSTOPPED | WCONTINUED)
                   ? (refuse_call("waitid",
                                  "children that stop are not modelled; ask for WEXITED", site), 0)
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
        tell(info, child);
    }
    return 0;
}

int process_shell(const char *command, uintptr_t site)
{
    if (command == NULL)
        return 1;
    announce_start("system", files_are_inherited, site);
    int process = start_shell(command, -1, -1);
    if (process < 0)
        return fails(-process);
    int error;
    struct child *child = add(process);
    child = wait_step((uint32_t)child->number, false, child, "system", site, &error);
    if (child == NULL)
        return fails(error);
    child->reaped = true;
    return child->status;
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
    announce_start("popen", files_are_inherited, site);
    world_descriptors();
    int ends[2];
    long error = os_call(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0);
    int ours = ends[reads ? 0 : 1], theirs = ends[reads ? 1 : 0];
    int process = error < 0 ? (int)error
                            : start_shell(command, reads ? -1 : theirs, reads ? theirs : -1);
    if (error == 0)
        os_close(theirs);
    if (error == 0 && process < 0)
        os_close(ours);
    if (process < 0) {
        errno = -process;
        return NULL;
    }
    if (keeps)
        os_call(SYS_fcntl, ours, F_SETFD, 0, 0, 0, 0);
    FILE *(*open_stream)(int, const char *) =
        (FILE * (*)(int, const char *)) real_symbol("fdopen");
    struct child *child = add(process);
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
    struct child *ended =
        wait_step((uint32_t)child->number, false, NULL, "pclose", site, &error);
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
        refuse_call("exec",
                    "there is no room for another process; raise the limit (ulimit -u)", site);
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
    must_end(child, "exec", site);
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
