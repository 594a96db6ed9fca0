#define _GNU_SOURCE
#include "runtime/process/process.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "base/os.h"
#include "runtime/engine/alias.h"
#include "runtime/engine/object.h"
#include "runtime/engine/real.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file_calls.h"
#include "runtime/memory/memory.h"
#include "runtime/process/fork_locks.h"
#include "runtime/process/inherit.h"
#include "runtime/process/left_behind.h"
#include "runtime/process/process_parts.h"
#include "runtime/time/signal.h"

enum {
    FIRST_CHILD = 20001,     /* far from the threads' numbers */
    PATIENCE_MS = 4000,      /* for a child that is waited for */
    LAST_PATIENCE_MS = 1000, /* for one that is left when the execution is over */
};

/* Signals are ours no more: what the program asked for becomes the kernel's. */
void signals_hand_over(void)
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

/* Comes last of all that pthread_atfork has registered. The handlers before may have been steps,
 * and another thread may have called fork meanwhile. */
static void is_forking(void)
{
    if (running())
        rt.forking = true;
}

static void became_child(void)
{
    if (!controlled || !rt.forking)
        return;
    rt.forking = rt.running = false;
    rt.process.child = FIRST_CHILD + (int)ex.process.process_count;
    rt.process.child_process = (uint32_t)os_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    interpose_child();
    signals_hand_over();
}

void processes_open(void)
{
    int (*add)(void (*)(void), void (*)(void), void (*)(void), void *) = (int (*)(
        void (*)(void), void (*)(void), void (*)(void), void *))real_symbol("__register_atfork");
    add(is_forking, NULL, became_child, NULL);
}

void process_synchronise(uint32_t object)
{
    struct sync *sync = &object_state(object)->sync;
    race_acquire(&ex.race, sync);
    race_release(&ex.race, sync);
}

void process_announce_start(const char *call, bool (*shares)(void), uintptr_t site)
{
    uint32_t object = object_number(&ex.process.processes);
    announce_on(OP_PROCESS, object, site);
    the_board->control.processes = 1;
    step_touch(object, OP_ACCESS_WRITE);
    process_synchronise(object);
    if (shares())
        refuse_call(call,
                    "the program has sockets or other files open that other processes cannot "
                    "share; close them first, or let system or popen close them (O_CLOEXEC)",
                    site);
}

struct child *child_add(int process)
{
    struct child *child = execution_take(sizeof *child);
    *child =
        (struct child){.process = process, .number = FIRST_CHILD + (int)ex.process.process_count++};
    struct child **end = &ex.process.processes;
    while (*end != NULL)
        end = &(*end)->next;
    *end = child;
    return child;
}

struct child *child_add_watched(int process, uintptr_t site)
{
    struct child *child = child_add(process);
    child_watch(child, site);
    return child;
}

void process_shares(const void *address)
{
    struct shared_memory *shared = &the_board->flight.shared;
    if (address == NULL || ex.process.process_count == 0 || shared->process != 0)
        return;
    *shared = (struct shared_memory){.process = FIRST_CHILD + ex.process.process_count - 1,
                                     .address = (uint64_t)address};
}

static struct child *find(int number)
{
    struct child *child = ex.process.processes;
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
    bool given = number >= FIRST_CHILD && number < FIRST_CHILD + (int)ex.process.process_count;
    return given && find(number) == NULL;
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
    if (unlikely(child_was_blocked(child)))
        end_failed();
}

/* The child has pipes of the program's: what it writes is there when the call returns. */
void child_share_until_end(struct child *child, const char *call, uintptr_t site)
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
    process_announce_start("fork", inherit_cannot, site);
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
    struct child *child = process < 0 ? NULL : child_add_watched(process, site);
    process_shares(alias_shared(false));
    if (shares)
        child_share_until_end(child, "fork", site);
    return process < 0 ? process : child->number;
}

int process_spawn(int *process, int (*spawn)(void *context, int *process), void *context,
                  uintptr_t site)
{
    process_announce_start("posix_spawn", inherit_cannot, site);
    bool shares = files_are_open();
    if (shares) {
        inherit_open("posix_spawn", site);
        inherit_lend();
    }
    int kernel = 0, error = spawn(context, &kernel);
    if (shares)
        inherit_take_back();
    struct child *child = error != 0 ? NULL : child_add_watched(kernel, site);
    process_shares(alias_shared(true));
    if (shares)
        child_share_until_end(child, "posix_spawn", site);
    if (error != 0)
        return error;
    if (process != NULL) {
        memory_access(process, sizeof *process, true, site);
        *process = child->number;
    }
    return 0;
}

void process_abandon(void *mine)
{
    struct child *child = mine;
    os_call(SYS_kill, child->process, SIGKILL, 0, 0, 0, 0);
    while (!ask(child, true))
        continue;
    child->reaped = true;
}

void processes_end(void)
{
    for (struct child *child = ex.process.processes; child != NULL; child = child->next) {
        if (await_end(child, LAST_PATIENCE_MS)) {
            child_was_blocked(child);
            continue;
        }
        os_call(SYS_kill, child->process, SIGKILL, 0, 0, 0, 0);
        while (!ask(child, true))
            continue;
    }
    ex.process.processes = NULL;
    if (!rt.forked || rt.options->debugged) /* otherwise they are the worker's children */
        orphans_end();
}
