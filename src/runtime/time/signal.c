#define _GNU_SOURCE
#include "runtime/time/signal.h"

#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/arch/x86_64/cpu.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/time/alert.h"
#include "runtime/time/disposition.h"
#include "runtime/time/signal_unsafe.h"
#include "runtime/time/time_calls.h"

static uint64_t bit(int number)
{
    return 1ul << (number - 1);
}

uint32_t signals_object(thread_id thread)
{
    return thread == NO_THREAD ? object_number(&ex.signals)
                               : object_number(&ex.threads[thread].signals);
}

static bool waits_for(thread_id thread, int number)
{
    return ex.pending[thread].kind == OP_SIGNAL_WAIT &&
           (ex.threads[thread].signals.awaited & bit(number));
}

bool signal_is_there(thread_id thread)
{
    const struct thread_signals *signals = &ex.threads[thread].signals;
    return (signals->awaited & (signals->pending | ex.signals.pending)) != 0;
}

uint64_t signal_to_handle(thread_id thread)
{
    const struct thread_signals *signals = &ex.threads[thread].signals;
    return (signals->pending | ex.signals.pending) & ~signals->blocked;
}

bool signal_restarts(thread_id thread)
{
    for (uint64_t left = signal_to_handle(thread); left != 0; left &= left - 1)
        if (!(disposition_of(__builtin_ctzl(left) + 1)->sa_flags & SA_RESTART))
            return false;
    return true;
}

/* The threads that may get a signal that is sent to the process. Where a thread waits for it, or
 * all block it, it stays with the process: nobody. Where there is no handler to run, all are alike:
 * one. */
static thread_set takers(int number)
{
    thread_set open = {0};
    THREADS_EACH(thread, &ex.live)
    {
        if (ex.threads[thread].time.timer != NULL || ex.threads[thread].process.child != NULL)
            continue;
        if (waits_for(thread, number))
            return (thread_set){0};
        if (!(ex.threads[thread].signals.blocked & bit(number)))
            thread_set_add(&open, thread);
    }
    if (!signal_has_handler(number) && !thread_set_is_empty(&open)) {
        thread_id first = thread_set_next(&open, 0);
        open = (thread_set){0};
        thread_set_add(&open, first);
    }
    return open;
}

bool signal_is_taken(thread_id thread, int number)
{
    if (thread == NO_THREAD) {
        thread_set some = takers(number);
        return !thread_set_is_empty(&some);
    }
    return !waits_for(thread, number) && !(ex.threads[thread].signals.blocked & bit(number));
}

uint16_t signal_choices(thread_id sender)
{
    if (ex.threads[sender].signals.sending == 0)
        return 1;
    thread_set all = takers(ex.threads[sender].signals.sending);
    uint32_t count = thread_set_count(&all);
    return count > 1 ? (uint16_t)count : 1;
}

static uint64_t queue_state(uint64_t state, const struct queued *queue)
{
    for (; queue != NULL; queue = queue->next) {
        const siginfo_t *info = &queue->info;
        state = mix(state, (uint64_t)info->si_signo << 32 | (uint32_t)info->si_code);
        state = mix(mix(state, (uintptr_t)info->si_value.sival_ptr),
                    (uint64_t)info->si_pid << 32 |
                        (uint32_t)info->si_uid); /* also of what timers say */
    }
    return state;
}

uint64_t signals_state(thread_id thread)
{
    if (thread == NO_THREAD)
        return queue_state(ex.signals.pending, ex.signals.queue);
    const struct thread_signals *theirs = &ex.threads[thread].signals;
    uint64_t state = mix(mix(theirs->blocked, theirs->pending), theirs->sending);
    if (ex.pending[thread].kind == OP_SIGNAL_WAIT)
        state = mix(state, theirs->awaited);
    if (theirs->suspended)
        state = mix(state, theirs->before);
    state = mix(state, (uintptr_t)theirs->handlers);
    state = mix(mix(state, (uintptr_t)theirs->stack), theirs->stack_size);
    return queue_state(state, theirs->queue);
}

static thread_id chosen_taker(int number)
{
    thread_set all = takers(number);
    uint16_t left = step_choice();
    THREADS_EACH(thread, &all)
    if (left-- == 0)
        return thread;
    return NO_THREAD;
}

static void enqueue(struct queued **queue, uint64_t *pending, const siginfo_t *info)
{
    bool queues = info->si_signo >= SIGNAL_REAL_TIME;
    if ((*pending & bit(info->si_signo)) && !queues)
        return;
    struct queued *new = execution_take(sizeof *new);
    *new = (struct queued){.info = *info};
    while (*queue != NULL)
        queue = &(*queue)->next;
    *queue = new;
    *pending |= bit(info->si_signo);
}

static void dequeue(struct queued **queue, uint64_t *pending, int number, siginfo_t *info)
{
    while ((*queue)->info.si_signo != number)
        queue = &(*queue)->next;
    *info = (*queue)->info;
    *queue = (*queue)->next;
    const struct queued *more = *queue;
    while (more != NULL && more->info.si_signo != number)
        more = more->next;
    if (more == NULL)
        *pending &= ~bit(number);
}

/* The lowest of the set that is pending; false: none is. */
bool signal_take(uint64_t set, siginfo_t *info)
{
    struct thread_signals *mine = &ex.me->signals;
    bool own = (mine->pending & set) != 0;
    uint64_t found = own ? mine->pending & set : ex.signals.pending & set;
    if (found == 0)
        return false;
    uint32_t object = signals_object(own ? ex.current : NO_THREAD);
    step_touch(object, OP_ACCESS_WRITE);
    race_acquire(&ex.race, &object_state(object)->sync);
    int number = __builtin_ctzl(found) + 1;
    if (own)
        dequeue(&mine->queue, &mine->pending, number, info);
    else
        dequeue(&ex.signals.queue, &ex.signals.pending, number, info);
    return true;
}

static _Noreturn void end_by(int number)
{
    struct finding *finding = finding_add(FINDING_CRASH, signal_message(number),
                                          ex.pending[ex.current].site, (uint64_t)number);
    if (finding != NULL)
        finding->status = number;
    end_failed();
}

static void by_default(int number)
{
    switch (disposition_default(number)) {
    case DEFAULT_IGNORE:
        return;
    case DEFAULT_STOP:
        refuse_call("a signal", "stopping the process is not modelled; leave this out when testing",
                    ex.pending[ex.current].site);
    case DEFAULT_END:
        end_by(number);
    }
}

static void call_handler(const struct sigaction *action, siginfo_t *info, void *context)
{
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(info->si_signo, info, context);
    else
        action->sa_handler(info->si_signo);
}

/* Handlers that an exception has left are below. */
static void enter(struct handler *handler)
{
    struct thread_signals *mine = &ex.me->signals;
    while (mine->handlers != NULL && mine->handlers < handler)
        mine->handlers = mine->handlers->outer;
    handler->outer = mine->handlers;
    mine->handlers = handler;
}

struct jump_buffer { /* as glibc has it */
    uint64_t registers[8];
    int mask_was_saved;
};
void signals_jump(const void *to)
{
    struct thread *me = ex.me;
    const struct jump_buffer *buffer = to;
    uintptr_t target = cpu_jump_target(buffer->registers);
    uint64_t blocked = me->signals.blocked;
    bool left = false;
    if (target > me->trusted_stack)
        me->trusted_stack = 0;
    while (me->signals.handlers != NULL && (uintptr_t)me->signals.handlers < target) {
        left = true;
        blocked = me->signals.handlers->before;
        me->signals.handlers = me->signals.handlers->outer;
    }
    if (!left)
        return;
    me->time.asleep = 0;
    me->time.interruption = NOT_INTERRUPTED;
    me->time.interrupted = me->timed = me->signals.suspended = false;
    me->cond = NULL;
    if (buffer->mask_was_saved)
        signals_block(blocked);
}

static void handle_all(uint64_t interrupting);

/* As the kernel does it: what is pending too and not blocked by this handler comes first, on
 * top. Signals of the set `interrupting` came while the thread did something else. */
static void handle(siginfo_t *info, ucontext_t *context, uint64_t interrupting)
{
    struct thread_signals *mine = &ex.me->signals;
    struct sigaction action = *disposition_of(info->si_signo);
    if (action.sa_handler == SIG_IGN)
        return;
    if (action.sa_handler == SIG_DFL) {
        by_default(info->si_signo);
        return;
    }
    if (action.sa_flags & (int)SA_RESETHAND)
        disposition_reset(info->si_signo);
    uint64_t before = mine->suspended ? mine->before : mine->blocked;
    mine->suspended = false;
    mine->blocked |= *(const uint64_t *)&action.sa_mask;
    if (!(action.sa_flags & SA_NODEFER))
        mine->blocked |= bit(info->si_signo);
    mine->blocked &= SIGNALS_BLOCKABLE;
    handle_all(interrupting);
    memcpy(&context->uc_sigmask, &before, sizeof before);
    struct handler running = {.before = before};
    handler_begins(&running, info->si_signo, interrupting & bit(info->si_signo));
    enter(&running);
    call_handler(&action, info, context);
    mine->handlers = running.outer;
    memcpy(&before, &context->uc_sigmask, sizeof before); /* the handler may change it */
    mine->blocked = before & SIGNALS_BLOCKABLE;
}

static void handle_all(uint64_t interrupting)
{
    siginfo_t info;
    while (signal_to_handle(ex.current) != 0 && signal_take(~ex.me->signals.blocked, &info)) {
        ucontext_t context;
        memset(&context, 0, sizeof context);
        handle(&info, &context, interrupting);
    }
}

void signals_handle(void)
{
    handle_all(0);
}

void signals_interrupt(void)
{
    const struct thread_signals *mine = &ex.me->signals;
    handle_all(mine->suspended ? ~mine->before : ~0ul);
}

static void drop_from(thread_id thread, struct queued **queue, uint64_t *pending, int number)
{
    siginfo_t info;
    if (!(*pending & bit(number)))
        return;
    step_touch(signals_object(thread), OP_ACCESS_WRITE);
    while (*pending & bit(number))
        dequeue(queue, pending, number, &info);
}

void signals_drop(int number)
{
    THREADS_EACH(thread, &ex.live)
    {
        struct thread_signals *theirs = &ex.threads[thread].signals;
        drop_from(thread, &theirs->queue, &theirs->pending, number);
    }
    drop_from(NO_THREAD, &ex.signals.queue, &ex.signals.pending, number);
}

void signal_here(const siginfo_t *info, void *context)
{
    siginfo_t copy = *info;
    await_wrote(&ex.me->await);
    handle(&copy, context, 0);
    signals_handle();
}

void signals_block(uint64_t blocked)
{
    unsafe_mask_changes(blocked);
    ex.me->signals.blocked = blocked & SIGNALS_BLOCKABLE;
    signals_handle();
}

/* A signal that nobody will handle is dropped when it is sent, unless it is blocked: then the
 * program may still wait for it, or install a handler. Linux asks the first thread, for the
 * process. */
static bool is_dropped(thread_id thread, int number)
{
    thread_id asked = thread == NO_THREAD ? 0 : thread;
    return signal_is_ignored(number) && !(ex.threads[asked].signals.blocked & bit(number));
}

void signal_post(thread_id thread, const siginfo_t *info)
{
    int number = info->si_signo;
    if (number == SIGKILL || number == SIGSTOP)
        by_default(number);
    if (is_dropped(thread, number))
        return;
    thread_id taker = thread == NO_THREAD ? chosen_taker(number) : thread;
    uint32_t object = signals_object(taker);
    step_touch(object, OP_ACCESS_WRITE);
    race_release_more(&ex.race, &object_state(object)->sync);
    object_state(signals_object(NO_THREAD))
        ->version++; /* for threads that look at pending signals */
    signalfd_news();
    if (taker == NO_THREAD) {
        enqueue(&ex.signals.queue, &ex.signals.pending, info);
        return;
    }
    struct thread_signals *theirs = &ex.threads[taker].signals;
    bool blocked = waits_for(taker, number) || (theirs->blocked & bit(number));
    if (!blocked && signal_would_end(number))
        by_default(number);
    enqueue(&theirs->queue, &theirs->pending, info);
    if (taker == ex.current)
        return;
    thread_depends(taker, ex.current);
    if (!blocked)
        alert(taker);
}
