#define _GNU_SOURCE
#include "runtime/engine/frames.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/process/child.h"
#include "runtime/time/signal.h"

/* As Linux decides whether it is dropped when it is sent. */
static bool is_noticed(void)
{
    bool blocked = ex.threads[0].signals.blocked >> (SIGCHLD - 1) & 1;
    return signal_has_handler(SIGCHLD) || blocked;
}

bool children_are_discarded(void)
{
    const struct sigaction *action = disposition_of(SIGCHLD);
    return action->sa_handler == SIG_IGN || action->sa_flags & SA_NOCLDWAIT;
}

void child_watch(struct child *child, uintptr_t site)
{
    if (!is_noticed())
        return;
    thread_id number = thread_new("fork", site);
    thread_begin(number, ex.current);
    struct thread *thread = &ex.threads[number];
    thread->state = THREAD_LIVE;
    thread->sync.detached = true;
    thread->fs = (uintptr_t)thread; /* nobody's */
    thread->process.child = child;
    thread->signals.sending = SIGCHLD;
    child->watched = true;
    ex.pending[number] = (struct op){.kind = OP_PROCESS_END,
                                     .choices = 1,
                                     .object = object_number(&ex.process.processes),
                                     .site = site};
    thread_pends(number);
    if (rt.options->detail)
        frames_capture(number);
    thread_set_add(&ex.live, number);
    ex.armed_count++;
}

void children_watch(uintptr_t site)
{
    for (struct child *child = ex.process.processes; child != NULL; child = child->next)
        if (!child->watched && !child->reaped) {
            child->late = true;
            child_watch(child, site);
        }
}

/* Whether the child may have ended when the signal was still ignored. */
static bool may_be_over(const struct child *child)
{
    return child->late && !child->seen;
}

uint16_t child_end_choices(thread_id end)
{
    return (uint16_t)(signal_choices(end) + may_be_over(ex.threads[end].process.child));
}

void child_end(void)
{
    thread_id number = ex.current;
    struct child *child = ex.me->process.child;
    step_touch(object_number(&ex.process.processes), OP_ACCESS_WRITE);
    child_must_end(child, "fork", ex.pending[number].site);
    bool was_over = may_be_over(child) && step_choice() == signal_choices(number);
    thread_rests(number);
    ex.armed_count--;
    child->told = true;
    siginfo_t info;
    child_describe(child, &info);
    if (children_are_discarded())
        child->reaped = true;
    if (!was_over && disposition_of(SIGCHLD)->sa_handler != SIG_IGN)
        signal_post(NO_THREAD, &info);
    ex.current = number;
}
