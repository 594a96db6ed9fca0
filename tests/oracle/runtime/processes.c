/* Child processes that end at once: fork, waitpid and wait.
 *
 * The child never runs here. Programs fork only children that do nothing but _exit(3), so their status is known. Without a
 * handler of SIGCHLD nobody notices when the child ends: a wait can be told of it at any time, and which child comes first
 * is a choice. With a handler the end stands among the threads (docs/COUNTING.md, rule 14). */
#define _GNU_SOURCE
#include "oracle.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum { CHILDREN = 6, FIRST = 20001, STATUS = 3 << 8 };

struct child {
    bool reaped, looked; /* looked: a wait that does not block came too early once */
    bool watched, told;
};

static struct processes {
    struct child children[CHILDREN];
    int count;
} *processes;

static void processes_reset(void)
{
    memset(processes, 0, sizeof *processes);
}

void processes_open(void)
{
    processes = room(sizeof *processes);
    at_reset(processes_reset);
}

static unsigned end_outcomes(struct thread *thread)
{
    (void)thread;
    return signal_process_ways(SIGCHLD);
}

static void *child_run(void *argument)
{
    struct child *child = argument;
    announce((struct operation){.name = "a child process ends", .outcomes = end_outcomes});
    touch(processes, true);
    child->told = true;
    signal_process(SIGCHLD);
    return NULL;
}

int __wrap_fork(void)
{
    announce((struct operation){.name = "start a process", .site = HERE});
    touch(processes, true);
    if (processes->count == CHILDREN)
        exceeded("children");
    struct child *child = &processes->children[processes->count++];
    child->watched = signal_is_handled(SIGCHLD);
    if (child->watched) {
        struct thread *thread = thread_make(child_run, child);
        thread->is_timer = thread->detached = true;
        memcpy(thread->clock, self->clock, sizeof thread->clock);
        self->clock[self->id]++;
        thread->clock[thread->id]++;
        the->own_steps[thread->id] = the->step_count;
        thread_run_to_first_operation(thread);
    }
    return FIRST + processes->count - 1;
}

struct wait {
    int which; /* -1: any */
    bool polls;
};

static bool matches(int child, const struct wait *wait)
{
    return !processes->children[child].reaped && (wait->which < 0 || wait->which == FIRST + child);
}

static int count_of(const struct wait *wait, bool (*has)(const struct child *child))
{
    int count = 0;
    for (int i = 0; i < processes->count; i++)
        count += matches(i, wait) && has(&processes->children[i]);
    return count;
}

static bool any(const struct child *child) { return child != NULL; }
static bool waitable(const struct child *child) { return !child->watched || child->told; }
static bool told(const struct child *child) { return child->told; }
static bool new(const struct child *child) { return !child->looked; }

static bool may_fail(const struct wait *wait)
{
    return wait->polls && count_of(wait, told) == 0 && count_of(wait, new) > 0;
}

static bool can_wait(struct thread *thread)
{
    const struct wait *wait = thread->operation.object;
    return count_of(wait, any) == 0 || count_of(wait, waitable) > 0 || may_fail(wait);
}

static unsigned wait_outcomes(struct thread *thread)
{
    const struct wait *wait = thread->operation.object;
    unsigned count = (unsigned)(count_of(wait, waitable) + may_fail(wait));
    return count == 0 ? 1 : count;
}

static bool is_told(struct thread *thread)
{
    return count_of(thread->operation.object, told) > 0;
}

static int wait_at(int which, int *status, int options, Site site)
{
    struct wait wait = {.which = which, .polls = options & WNOHANG};
    announce((struct operation){.name = "wait for a process",
                                .enabled = can_wait,
                                .outcomes = wait_outcomes,
                                .object = &wait,
                                .site = site,
                                .cancellation_point = true,
                                .interruption = wait.polls ? NOT_INTERRUPTED : RESTARTED,
                                .child_is_told = is_told});
    unsigned choice = self->choice;
    touch(processes, true);
    if (self->interrupted && count_of(&wait, told) == 0)
        return errno = EINTR, -1;
    if (count_of(&wait, any) == 0)
        return errno = ECHILD, -1;
    int found = 0;
    while (found < processes->count
           && !(matches(found, &wait) && waitable(&processes->children[found]) && choice-- == 0))
        found++;
    if (found == processes->count) {
        for (int i = 0; i < processes->count; i++)
            processes->children[i].looked |= matches(i, &wait);
        return 0;
    }
    processes->children[found].reaped = true;
    if (status != NULL) {
        access_quietly(status, sizeof *status, PLAIN_WRITE, site);
        *status = STATUS;
    }
    signals_of_wait(); /* the wait is over before the handler of SIGCHLD runs */
    return FIRST + found;
}

int __wrap_waitpid(int process, int *status, int options) { return wait_at(process, status, options, HERE); }
int __wrap_wait(int *status) { return wait_at(-1, status, 0, HERE); }
