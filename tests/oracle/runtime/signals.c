/* Signals and cancellation: what another thread sends to a thread, which takes it in a step of its own.
 *
 * A thread that is sent a signal it does not block takes one step that runs the handlers, in place of the operation before
 * which it stands (docs/COUNTING.md, rules 11 and 12). If it was blocked in a call that this signal interrupts, the call
 * fails with EINTR, or the handler ran just before the call: two outcomes. A cancelled thread that stands before a
 * cancellation point ends there. Sending writes the target's set of signals, and so does handling. */
#define _GNU_SOURCE
#include "oracle.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum { SIGNALS = 65 };

static struct signals {
    struct sigaction actions[SIGNALS];
    uint64_t pending; /* of the process: blocked by all, or awaited */
} *signals;

static void signals_reset(void)
{
    memset(signals, 0, sizeof *signals);
}

void signals_open(void)
{
    signals = room(sizeof *signals);
    at_reset(signals_reset);
}

static uint64_t bit(int number)
{
    return 1ul << (number - 1);
}

static uint64_t bits_of(const sigset_t *set)
{
    return *(const uint64_t *)set;
}

static const void *signals_of(const struct thread *thread)
{
    return (const char *)thread + 2;
}

static const void *cancellation_of(const struct thread *thread)
{
    return (const char *)thread + 3;
}

static uint64_t deliverable(const struct thread *thread)
{
    return (thread->pending | signals->pending) & ~thread->blocked;
}

/* The lowest pending one of the set, or 0. */
static int signal_take(uint64_t set)
{
    uint64_t found = (self->pending & set) != 0 ? self->pending & set : signals->pending & set;
    if (found == 0)
        return 0;
    const void *object = (self->pending & set) != 0 ? signals_of(self) : signals;
    touch(object, true);
    acquire(object);
    int number = __builtin_ctzl(found) + 1;
    if ((self->pending & set) != 0)
        self->pending &= ~bit(number);
    else
        signals->pending &= ~bit(number);
    return number;
}

static void handle_all(void)
{
    struct thread *me = self;
    while (deliverable(me) != 0) {
        int number = signal_take(~me->blocked);
        struct sigaction action = signals->actions[number];
        touch(&signals->actions[number], false);
        if (action.sa_handler == SIG_IGN)
            continue;
        if (action.sa_handler == SIG_DFL)
            exceeded("signals without a handler");
        uint64_t before = me->suspended ? me->blocked_before : me->blocked;
        me->suspended = false;
        me->blocked |= bits_of(&action.sa_mask) | bit(number);
        action.sa_handler(number);
        me->blocked = before;
    }
}

bool signal_is_handled(int number)
{
    void (*handler)(int) = signals->actions[number].sa_handler;
    return handler != SIG_DFL && handler != SIG_IGN;
}

void signals_of_wait(void)
{
    handle_all();
}

/* The end of a child is reported to a wait for it before a handler runs, or the handler ran just before the wait. */
static bool wait_comes_first(struct thread *thread)
{
    Enabled told = thread->operation.child_is_told;
    return told != NULL && deliverable(thread) & bit(SIGCHLD) && told(thread);
}

static bool waits_now(struct thread *thread)
{
    const struct operation *operation = &thread->operation;
    if (operation->waits != NULL)
        return operation->waits(thread);
    return operation->enabled != NULL && !operation->enabled(thread);
}

/* The thread's next step is to handle it. Whether that interrupts a call is decided now. */
static void alert(struct thread *thread)
{
    if (thread->alert != NO_ALERT)
        return;
    bool restarts = true;
    for (uint64_t left = deliverable(thread); left != 0; left &= left - 1)
        restarts &= (signals->actions[__builtin_ctzl(left) + 1].sa_flags & SA_RESTART) != 0;
    enum interruption how = thread->operation.interruption;
    thread->alert = BY_SIGNAL;
    thread->restarts = restarts;
    bool interrupts = how == INTERRUPTED || (how == RESTARTED && !restarts);
    thread->may_interrupt = wait_comes_first(thread) || (interrupts && waits_now(thread));
}

static bool cancel_acts(const struct thread *thread)
{
    return thread->cancel_requested && thread->operation.cancellation_point && !thread->cancelling;
}

/* At each operation: a request that came earlier acts at a cancellation point. */
void alert_at_operation(struct thread *thread)
{
    if (cancel_acts(thread))
        thread->alert = BY_CANCELLATION;
}

unsigned alert_outcomes(struct thread *thread)
{
    return thread->alert == BY_SIGNAL && thread->may_interrupt && !thread->operation.asleep ? 2 : 1;
}

/* The step of a thread that was alerted; true: the call is interrupted. */
bool alert_take(void)
{
    struct thread *me = self;
    bool interrupted = me->may_interrupt && me->choice == 0;
    if (me->alert == BY_CANCELLATION) {
        touch(cancellation_of(me), true);
        acquire(cancellation_of(me));
        me->cancelling = true;
        thread_end(PTHREAD_CANCELED);
    }
    me->alert = NO_ALERT;
    me->may_interrupt = false;
    if (interrupted && wait_comes_first(me))
        return true;
    handle_all();
    return interrupted;
}

static bool awaits(const struct thread *thread, int number)
{
    return thread->state == READY && thread->awaited & bit(number);
}

/* Threads that may get a signal that is sent to the process, one bit each. */
static unsigned takers(int number)
{
    unsigned open = 0;
    for (int i = 0; i < the->thread_count; i++) {
        struct thread *thread = &the->threads[i];
        if (thread->state == DONE || thread->is_timer)
            continue;
        if (awaits(thread, number))
            return 0;
        if (!(thread->blocked & bit(number)))
            open |= 1u << i;
    }
    void (*handler)(int) = signals->actions[number].sa_handler;
    return handler == SIG_IGN || handler == SIG_DFL ? open & -open : open;
}

static unsigned taker_count(struct thread *thread)
{
    int count = __builtin_popcount(takers((int)thread->operation.argument));
    return count > 1 ? (unsigned)count : 1;
}

static void post(struct thread *thread, int number)
{
    uint64_t blocked = (thread == NULL ? &the->threads[0] : thread)->blocked;
    touch(&signals->actions[number], false);
    if (signals->actions[number].sa_handler == SIG_IGN && !(blocked & bit(number)))
        return;
    if (thread == NULL) {
        unsigned all = takers(number), left = self->choice;
        for (int i = 0; i < the->thread_count && thread == NULL; i++)
            if (all >> i & 1 && left-- == 0)
                thread = &the->threads[i];
    }
    const void *object = thread == NULL ? (const void *)signals : signals_of(thread);
    touch(object, true);
    release_again(object);
    if (thread == NULL) {
        signals->pending |= bit(number);
        return;
    }
    thread->pending |= bit(number);
    if (thread != self && !awaits(thread, number) && !(thread->blocked & bit(number)))
        alert(thread);
}

/* The expiry of a timer sends a signal to the process as part of its own step. */
void signal_process(int number)
{
    post(NULL, number);
}

unsigned signal_process_ways(int number)
{
    int count = __builtin_popcount(takers(number));
    return count > 1 ? (unsigned)count : 1;
}

static int send_to(struct thread *thread, int number, Site site)
{
    announce((struct operation){
        .name = "send", .outcomes = thread == NULL ? taker_count : NULL, .argument = number, .site = site});
    if (thread != NULL && thread->state == DONE) {
        touch(thread, false);
        return thread->joined ? ESRCH : 0;
    }
    post(thread, number);
    handle_all();
    return 0;
}

int pthread_kill(pthread_t handle, int number)
{
    return send_to(&the->threads[thread_of(handle)], number, HERE);
}

int __wrap_raise(int number) { return send_to(self, number, HERE); }

int __wrap_kill(int process, int number)
{
    (void)process;
    return send_to(NULL, number, HERE);
}

/* A write to a pipe that nobody reads: the signal goes to the writer. */
void broken_pipe(void)
{
    post(self, SIGPIPE);
    handle_all();
}

static void set_action(int number, const struct sigaction *action, Site site)
{
    announce((struct operation){.name = "set signals", .site = site});
    touch(&signals->actions[number], true);
    signals->actions[number] = *action;
    if (action->sa_handler != SIG_IGN)
        return;
    for (int i = 0; i < the->thread_count; i++)
        if (the->threads[i].pending & bit(number)) {
            touch(signals_of(&the->threads[i]), true);
            the->threads[i].pending &= ~bit(number);
        }
    signals->pending &= ~bit(number);
}

int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (action == NULL || old != NULL)
        exceeded("sigaction");
    set_action(number, action, HERE);
    return 0;
}

void (*__wrap_signal(int number, void (*handler)(int)))(int)
{
    void (*old)(int) = signals->actions[number].sa_handler;
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    set_action(number, &action, HERE);
    return old;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    if (set == NULL || old != NULL)
        exceeded("pthread_sigmask");
    uint64_t bits = bits_of(set), before = self->blocked;
    bits = how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits;
    if (bits == before)
        return 0;
    announce((struct operation){.name = "set signals", .site = HERE});
    touch(signals_of(self), true);
    self->blocked = bits;
    handle_all();
    return 0;
}

static bool never(struct thread *thread)
{
    (void)thread;
    return false;
}

static void sleep_until_signal(Site site)
{
    announce((struct operation){.name = "sleep until a signal comes",
                                .enabled = never,
                                .site = site,
                                .interruption = INTERRUPTED,
                                .asleep = true,
                                .cancellation_point = true});
}

int pause(void)
{
    announce((struct operation){.name = "set signals", .site = HERE});
    touch(signals_of(self), false);
    sleep_until_signal(HERE);
    errno = EINTR;
    return -1;
}

int sigsuspend(const sigset_t *set)
{
    announce((struct operation){.name = "set signals", .site = HERE});
    touch(signals_of(self), true);
    self->blocked_before = self->blocked;
    self->suspended = true;
    self->blocked = bits_of(set);
    if (deliverable(self) != 0)
        handle_all();
    else
        sleep_until_signal(HERE);
    if (self->suspended)
        self->blocked = self->blocked_before;
    self->suspended = false;
    handle_all();
    errno = EINTR;
    return -1;
}

int sigpending(sigset_t *set)
{
    announce((struct operation){.name = "pending signals", .site = HERE});
    touch(signals_of(self), false);
    touch(signals, false);
    access_quietly(set, sizeof *set, PLAIN_WRITE, HERE);
    memset(set, 0, sizeof *set);
    *(uint64_t *)set = (self->pending | signals->pending) & self->blocked;
    return 0;
}

static bool nothing_awaited(struct thread *thread)
{
    return !(thread->awaited & (thread->pending | signals->pending));
}

static bool awaited_is_there(struct thread *thread)
{
    return !nothing_awaited(thread);
}

static int wait_for(uint64_t set, bool timed, Site site)
{
    struct thread *me = self;
    me->awaited = set;
    announce((struct operation){.name = "wait for a signal",
                                .enabled = timed ? NULL : awaited_is_there,
                                .waits = nothing_awaited,
                                .site = site,
                                .interruption = timed ? INTERRUPTED : NOT_INTERRUPTED,
                                .cancellation_point = true});
    me->awaited = 0;
    if (me->interrupted) {
        errno = EINTR;
        return -1;
    }
    int number = signal_take(set);
    if (number != 0)
        return number;
    touch(signals_of(me), false);
    touch(signals, false);
    timed_out(site);
    errno = EAGAIN;
    return -1;
}

int sigwait(const sigset_t *set, int *number)
{
    int got = wait_for(bits_of(set), false, HERE);
    access_quietly(number, sizeof *number, PLAIN_WRITE, HERE);
    *number = got;
    return 0;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
    (void)time;
    if (info != NULL)
        exceeded("sigtimedwait");
    return wait_for(bits_of(set), true, HERE);
}

int pthread_cancel(pthread_t handle)
{
    struct thread *thread = &the->threads[thread_of(handle)];
    announce((struct operation){.name = "cancel", .site = HERE});
    touch(cancellation_of(thread), true);
    touch(thread, false);
    if (thread->state == DONE && (thread->joined || thread->detached))
        return note_finding("misuse %#lx", (unsigned long)HERE), ESRCH;
    release_again(cancellation_of(thread));
    if (thread->state == DONE)
        return 0;
    thread->cancel_requested = true;
    if (thread != self && cancel_acts(thread))
        thread->alert = BY_CANCELLATION;
    return 0;
}

void pthread_testcancel(void)
{
    announce((struct operation){.name = "test for cancellation", .site = HERE, .cancellation_point = true});
    touch(cancellation_of(self), false);
}
