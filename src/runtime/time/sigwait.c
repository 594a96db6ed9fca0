/* Blocking signals, and waiting for them. pause and sigsuspend are two steps: to go to sleep, then
 * to be woken; so a signal that comes before the first is not waited for. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/progress/await.h"
#include "runtime/time/alert.h"
#include "runtime/time/disposition.h"
#include "runtime/time/signal.h"
#include "runtime/time/time_calls.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_clock.h"

static int fails(int error)
{
    errno = error;
    return -1;
}

enum { STACK_LEAST = 2048 }; /* MINSIGSTKSZ asks the processor nowadays */

/* Of a sigset_t the kernel, too, takes the first 64 only. */
static uint64_t read_set(enum op_kind kind, const void *set, uintptr_t site)
{
    memory_read_before(kind, set, sizeof(uint64_t), site);
    return *(const uint64_t *)set;
}

static void write_set(void *set, uint64_t value, uintptr_t site)
{
    memory_access(set, sizeof(sigset_t), true, site);
    memset(set, 0, sizeof(sigset_t));
    *(uint64_t *)set = value;
}

/* A step if it changes what is blocked: others may send to the process. */
static void change_blocked(uint64_t blocked, uintptr_t site)
{
    blocked &= SIGNALS_BLOCKABLE;
    if (blocked == ex.me->signals.blocked)
        return;
    uint32_t object = signals_object(ex.current);
    announce_on(OP_SIGNAL_SET, object, site);
    step_touch(object, OP_ACCESS_WRITE);
    signals_block(blocked);
    children_watch(site);
}

int sigmask_change(int how, const void *set, void *old, uintptr_t site)
{
    uint64_t before = ex.me->signals.blocked;
    if (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    uint64_t given = set != NULL ? read_set(OP_SIGNAL_SET, set, site) : 0;
    if (old != NULL)
        write_set(old, before, site);
    if (set != NULL)
        change_blocked(how == SIG_BLOCK     ? before | given
                       : how == SIG_UNBLOCK ? before & ~given
                                            : given,
                       site);
    return 0;
}

int sigmask_old(int how, const void *set, void *old, uintptr_t site)
{
    int error = sigmask_change(how, set, old, site);
    return error != 0 ? fails(error) : 0;
}

int sigmask_one(int number, bool blocks, uintptr_t site)
{
    if (number <= 0 || number >= SIGNALS_END)
        return fails(EINVAL);
    uint64_t set[sizeof(sigset_t) / 8] = {1ul << (number - 1)};
    return sigmask_old(blocks ? SIG_BLOCK : SIG_UNBLOCK, set, NULL, site);
}

int signals_pending(void *set, const struct local *local)
{
    uint32_t object = signals_object(ex.current), shared = signals_object(NO_THREAD);
    await_before_read(&ex.signals.pending, sizeof(uint64_t), shared, local);
    announce_on(OP_SIGNAL_LOOK, object, local->site);
    await_after_read();
    step_touch(object, OP_ACCESS_READ);
    step_touch(shared, OP_ACCESS_READ);
    uint64_t pending = ex.me->signals.pending | ex.signals.pending;
    write_set(set, pending & ex.me->signals.blocked, local->site);
    return 0;
}

static void sleep_until_signal(uintptr_t site)
{
    (void)announce_interruptible((struct op){.kind = OP_SIGNAL_SLEEP, .choices = 1, .site = site},
                                 INTERRUPTED);
}

int signal_pause(uintptr_t site)
{
    announce_on(OP_SIGNAL_SET, signals_object(ex.current), site);
    step_touch(signals_object(ex.current), OP_ACCESS_READ);
    sleep_until_signal(site);
    return fails(EINTR);
}

/* From this step on, other signals are blocked, until a handler has run or the wait is over. */
static void suspend(uint64_t meanwhile, uintptr_t site)
{
    struct thread_signals *mine = &ex.me->signals;
    announce_on(OP_SIGNAL_SET, signals_object(ex.current), site);
    step_touch(signals_object(ex.current), OP_ACCESS_WRITE);
    mine->before = mine->blocked;
    mine->suspended = true;
    mine->blocked = meanwhile;
}

static void resume(void)
{
    struct thread_signals *mine = &ex.me->signals;
    if (mine->suspended) /* no handler ran */
        mine->blocked = mine->before;
    mine->suspended = false;
    signals_handle();
}

int signal_suspend(const void *set, uintptr_t site)
{
    suspend(read_set(OP_SIGNAL_SLEEP, set, site) & SIGNALS_BLOCKABLE, site);
    if (signal_to_handle(ex.current) != 0)
        signals_handle();
    else
        sleep_until_signal(site);
    resume();
    return fails(EINTR);
}

bool sigmask_begin(const void *set, uintptr_t site)
{
    uint64_t meanwhile = set != NULL ? read_set(OP_SIGNAL_SET, set, site) & SIGNALS_BLOCKABLE : 0;
    if (set == NULL || meanwhile == ex.me->signals.blocked)
        return false;
    suspend(meanwhile, site);
    return true;
}

bool sigmask_strikes(void)
{
    return ex.me->signals.suspended && signal_to_handle(ex.current) != 0;
}

int sigmask_end(bool begun, int result)
{
    if (!begun)
        return result;
    int error = errno;
    if (result < 0 && error == EINTR)
        signals_handle();
    resume();
    errno = error;
    return result;
}

static int taken(const siginfo_t *info, void *out, uintptr_t site)
{
    if (out != NULL) {
        memory_access(out, sizeof *info, true, site);
        memcpy(out, info, sizeof *info);
        if (info->si_code == SI_TKILL)
            ((siginfo_t *)out)->si_code = SI_USER; /* as glibc has it */
    }
    return info->si_signo;
}

static int wait_for(uint64_t set, void *out, const struct timespec *time, enum interruption how,
                    uintptr_t site)
{
    siginfo_t info;
    struct thread *me = ex.me;
    uint64_t end = time != NULL ? clock_after(clock_length(time)) : 0;
    me->signals.awaited = set;
    me->timed = time != NULL;
    me->deadline = end;
    bool waited = announce_interruptible(
        (struct op){.kind = OP_SIGNAL_WAIT, .choices = 1, .site = site}, how);
    me->timed = false;
    me->signals.awaited = 0;
    if (!waited)
        return fails(EINTR);
    if (signal_take(set, &info))
        return taken(&info, out, site);
    step_touch(signals_object(ex.current), OP_ACCESS_READ);
    step_touch(signals_object(NO_THREAD), OP_ACCESS_READ);
    step_failed();
    clock_reach(end);
    timeout_give_way();
    me->time.timeout_site = site;
    return fails(EAGAIN);
}

int signal_wait(const void *set, int *number, uintptr_t site)
{
    int got = wait_for(read_set(OP_SIGNAL_WAIT, set, site), NULL, NULL, NOT_INTERRUPTED, site);
    memory_access(number, sizeof *number, true, site);
    *number = got;
    return 0;
}

int signal_timedwait(const void *set, void *out, const struct timespec *time, uintptr_t site)
{
    called_reads_before(OP_SIGNAL_WAIT, time, sizeof *time, site);
    if (time != NULL && (time->tv_sec < 0 || !clock_is_valid(time)))
        return fails(EINVAL);
    return wait_for(read_set(OP_SIGNAL_WAIT, set, site), out, time, INTERRUPTED, site);
}

int signal_stack(const void *stack, void *old, uintptr_t site)
{
    struct thread_signals *mine = &ex.me->signals;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    bool in_use = here - (uintptr_t)mine->stack < mine->stack_size;
    if (old != NULL) {
        memory_access(old, sizeof(stack_t), true, site);
        *(stack_t *)old = (stack_t){.ss_sp = mine->stack,
                                    .ss_size = mine->stack_size,
                                    .ss_flags = in_use                ? SS_ONSTACK
                                                : mine->stack == NULL ? SS_DISABLE
                                                                      : 0};
    }
    if (stack == NULL)
        return 0;
    stack_t new = *(const stack_t *)stack;
    if (in_use)
        return fails(EPERM);
    if (new.ss_flags & ~SS_DISABLE & ~SS_ONSTACK)
        return fails(EINVAL);
    bool off = new.ss_flags &SS_DISABLE;
    if (!off && new.ss_size < STACK_LEAST)
        return fails(ENOMEM);
    mine->stack = off ? NULL : new.ss_sp;
    mine->stack_size = off ? 0 : new.ss_size;
    return 0;
}
