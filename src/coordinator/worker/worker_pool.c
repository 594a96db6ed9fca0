#define _GNU_SOURCE
#include "coordinator/worker/worker_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "coordinator/code/live_table.h"
#include "coordinator/text.h"
#include "coordinator/worker/reaper.h"

#define HANG_AGAIN_SECONDS 0.5

enum { BOARD_FD_HIGHEST = 1000, STACK_LIMIT = 8 << 20 };

/* A high number, so that the program's own descriptors begin at 3, as they do without Bohr. */
int worker_board_descriptor(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > BOARD_FD_HIGHEST)
        return BOARD_FD_HIGHEST;
    return (int)limit.rlim_cur - 1;
}

static sigset_t watched_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

double worker_pool_patience(const struct worker_pool *pool)
{
    double whole = pool->job->hang_seconds;
    return pool->busy && whole > HANG_AGAIN_SECONDS ? HANG_AGAIN_SECONDS : whole;
}

bool worker_pool_open(struct worker_pool *pool, const struct job *job, struct problem *why)
{
    memset(pool, 0, sizeof *pool);
    pool->job = job;
    pool->common = -1;
    sigset_t set = watched_signals();
    sigprocmask(SIG_BLOCK, &set, NULL);
    orphans_adopt();
    pool->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (pool->signals < 0)
        return problem_is(why, "cannot watch for signals", NULL, errno);
    return true;
}

/* The first step of a new process that failed, reported to its parent through a pipe. */
struct start_failure {
    int error;
    char what[64];
};

static void fail_start(int pipe, const char *what)
{
    struct start_failure failure = {.error = errno};
    strncpy(failure.what, what, sizeof failure.what - 1);
    if (write(pipe, &failure, sizeof failure) < 0)
        _exit(126);
    _exit(127);
}

static char *with_entry(const char *entry, const char *variable)
{
    const char *old = getenv(variable);
    return old == NULL || *old == 0 ? text_print("%s=%s", variable, entry)
                                    : text_print("%s=%s:%s", variable, entry, old);
}

char **worker_environment(const struct job *job)
{
    char **variables = text_room(5 * sizeof *variables);
    variables[0] = with_entry(text_print("%s/libtsan.so.2", job->library), "LD_PRELOAD");
    variables[1] = with_entry("glibc.pthread.rseq=0", "GLIBC_TUNABLES");
    variables[2] = text_print("LD_BIND_NOW=1");
    variables[3] = text_print("%s=%d", BOARD_VARIABLE, worker_board_descriptor());
    return variables;
}

struct start { /* made by the parent, so that the child only makes system calls */
    char **environment;
    bool shifted; /* the kernel chooses where program and libraries lie */
    int board_fd, common, spill, live, input, output, errors, failure;
};

static void set_descriptor(const struct start *start, int from, int to, const char *what)
{
    if (dup2(from, to) < 0)
        fail_start(start->failure, what);
}

/* Sets a limit for stacks if there is none: without one the kernel lays memory out in another way,
 * which leaves no room for Bohr's memory. */
static void limit_stack(const struct start *start)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
        return;
    limit.rlim_cur = STACK_LIMIT;
    if (setrlimit(RLIMIT_STACK, &limit) != 0)
        fail_start(start->failure, "cannot limit the stack");
}

static _Noreturn void become_worker(const struct job *job, const struct start *start)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (personality(start->shifted ? 0 : ADDR_NO_RANDOMIZE) < 0)
        fail_start(start->failure, "cannot set address randomisation");
    limit_stack(start);
    set_descriptor(start, start->input, 0, "cannot pass on standard input");
    set_descriptor(start, start->output, 1, "cannot redirect standard output");
    set_descriptor(start, start->errors, 2, "cannot redirect standard error");
    set_descriptor(start, start->board_fd, worker_board_descriptor(),
                   "cannot pass on shared memory");
    if (job->options.fresh_size > 0)
        set_descriptor(start, job->fresh, worker_board_descriptor() - FRESH_BELOW,
                       "cannot pass on kept files");
    if (start->common >= 0)
        set_descriptor(start, start->common, worker_board_descriptor() - COMMON_BELOW,
                       "cannot pass on counters");
    if (start->spill >= 0)
        set_descriptor(start, start->spill, worker_board_descriptor() - SPILL_BELOW,
                       "cannot pass on the file of --memory");
    if (start->live >= 0)
        set_descriptor(start, start->live, worker_board_descriptor() - LIVE_BELOW,
                       "cannot pass on what is known of the program's code");
    for (char **variable = start->environment; *variable != NULL; variable++)
        putenv(*variable);
    execv(job->program, job->arguments);
    fail_start(start->failure, "cannot start the program");
    abort();
}

static bool await_start(int pipe, pid_t pid, const struct job *job, struct problem *why)
{
    struct start_failure failure;
    ssize_t got;
    do
        got = read(pipe, &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    close(pipe);
    if (got != (ssize_t)sizeof failure)
        return true; /* exec closed the pipe */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return problem_is(why, failure.what, job->name, failure.error);
}

/* Opens a descriptor again with a position of its own, so that workers do not share one. */
static int open_again(int fd, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, flags | O_CLOEXEC);
}

bool worker_pool_share(struct worker_pool *pool, struct problem *why)
{
    if (pool->common >= 0) /* made for an earlier search */
        return true;
    pool->common = memfd_create("bohr-common", MFD_CLOEXEC);
    if (pool->common < 0 || ftruncate(pool->common, sizeof(struct common)) != 0)
        return problem_is(why, "cannot make shared memory", NULL, errno);
    return true;
}

static struct worker *free_worker(struct worker_pool *pool)
{
    for (int i = 0; i < WORKERS_MAX; i++)
        if (pool->workers[i].pid == 0)
            return &pool->workers[i];
    UNREACHABLE();
}

bool live_for(const struct job *job, struct board *board, int *fd, struct problem *why)
{
    struct options *options = &board->options;
    *fd = -1;
    if (!options_compare_locals(options))
        return true;
    struct live_file live = live_table_of(job->program);
    if (options->live_size != 0 &&
        (options->live_size != live.size || options->live_sum != live.sum))
        return problem_is(why, "the program is not the one that the search was begun with",
                          job->name, 0);
    options->live_size = live.size;
    options->live_sum = live.sum;
    *fd = live.size == 0 ? -1 : live.fd;
    return true;
}

struct worker *worker_start(struct worker_pool *pool, const struct board_handle *board,
                            struct worker_output to, struct problem *why)
{
    static struct start start; /* the environment is the same for every worker */
    const struct job *job = pool->job;
    if (start.environment == NULL)
        start.environment = worker_environment(job);
    if (!live_for(job, board->board, &start.live, why))
        return NULL;
    int ends[2], nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    int input = open_again(job->input, O_RDONLY);
    if (nowhere < 0 || input < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        problem_is(why, "cannot prepare a new process", job->name, errno);
        return NULL;
    }
    start.board_fd = board->fd;
    start.spill = board->spill;
    start.common = board->board->sharing.shared ? pool->common : -1;
    start.shifted = job->options.shift_layouts && board->board->sharing.number > 0;
    start.input = input;
    start.output = to.output < 0 ? nowhere : to.output;
    start.errors = to.errors < 0 ? nowhere : to.errors;
    start.failure = ends[1];
    board->board->control.status = WORKER_NONE;
    pid_t pid = fork();
    if (pid == 0)
        become_worker(job, &start);
    int error = errno;
    close(nowhere);
    close(input);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        problem_is(why, "cannot start a new process", job->name, error);
        return NULL;
    }
    setpgid(pid, pid);
    if (!await_start(ends[0], pid, job, why))
        return NULL;
    struct worker *worker = free_worker(pool);
    *worker = (struct worker){.pid = pid, .board = board};
    return worker;
}

static void account(struct worker_pool *pool, const struct rusage *usage)
{
    pool->cpu_seconds += (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
                         (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
    uint64_t peak = (uint64_t)usage->ru_maxrss * 1024;
    if (peak > pool->peak_bytes)
        pool->peak_bytes = peak;
}

static bool is_worker(const void *which, pid_t pid)
{
    const struct worker_pool *pool = which;
    for (int i = 0; i < WORKERS_MAX; i++)
        if (pool->workers[i].pid == pid)
            return true;
    return false;
}

/* Kills what a dead worker left: processes of its process group, then those that left the group. */
static void end_processes(struct worker_pool *pool, struct worker *worker)
{
    kill(-worker->pid, SIGKILL);
    while (waitpid(-worker->pid, NULL, __WALL) > 0)
        continue;
    worker->pid = 0;
    if (worker->board->board->control.processes)
        orphans_end(is_worker, pool);
}

static bool reap(struct worker_pool *pool, struct pool_event *event)
{
    for (int i = 0; i < WORKERS_MAX; i++) {
        struct worker *worker = &pool->workers[i];
        struct rusage usage;
        if (worker->pid == 0 || wait4(worker->pid, &event->status, WNOHANG, &usage) != worker->pid)
            continue;
        end_processes(pool, worker);
        account(pool, &usage);
        event->kind = POOL_ENDED;
        event->worker = worker;
        return true;
    }
    return false;
}

struct pool_event worker_pool_wait(struct worker_pool *pool, int timeout_ms)
{
    struct pool_event event = {.kind = POOL_QUIET};
    if (reap(pool, &event))
        return event;
    struct pollfd poll_fd = {.fd = pool->signals, .events = POLLIN};
    poll(&poll_fd, 1, timeout_ms);
    if (worker_pool_is_interrupted(pool))
        event.kind = POOL_INTERRUPTED;
    else
        reap(pool, &event);
    return event;
}

bool worker_pool_is_interrupted(struct worker_pool *pool)
{
    struct signalfd_siginfo info;
    while (read(pool->signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo != SIGCHLD) {
            pool->interrupted = true;
            return true;
        }
    return false;
}

void worker_kill(struct worker *worker)
{
    CHECK(worker->pid > 0);
    kill(-worker->pid, SIGKILL);
    kill(worker->pid, SIGKILL);
}

void worker_pool_close(struct worker_pool *pool)
{
    for (int i = 0; i < WORKERS_MAX; i++) {
        struct worker *worker = &pool->workers[i];
        if (worker->pid == 0)
            continue;
        worker_kill(worker);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        end_processes(pool, worker);
    }
    close(pool->signals);
    if (pool->common >= 0)
        close(pool->common);
}
