#define _GNU_SOURCE
#include "runtime/time/disposition.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/memory.h"
#include "runtime/time/kernel_signals.h"
#include "runtime/time/signal.h"
#include "runtime/time/time_calls.h"

enum { CANCEL_OF_LIBC = 32, SETXID_OF_LIBC = 33 };

/* The program's state, so it lies in our data and is put back with the rest. */
static struct sigaction actions[SIGNALS_END];

void signals_begin(void)
{
    for (int number = 1; number < SIGNALS_END; number++)
        signal_found(number, &actions[number]);
    os_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&rt.signals_inherited, 8, 0, 0);
}

const struct sigaction *disposition_of(int number)
{
    return &actions[number];
}

void disposition_reset(int number)
{
    actions[number].sa_handler = SIG_DFL;
}

enum signal_default disposition_default(int number)
{
    switch (number) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
        return DEFAULT_IGNORE;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
        return DEFAULT_STOP;
    default:
        return DEFAULT_END;
    }
}

const char *signal_message(int number)
{
    static const char *const words[SIGNALS_END] = {[SIGHUP] = "ended by SIGHUP",
                                                   [SIGINT] = "ended by SIGINT",
                                                   [SIGQUIT] = "ended by SIGQUIT",
                                                   [SIGILL] = "illegal instruction",
                                                   [SIGTRAP] = "trap",
                                                   [SIGABRT] = "abort",
                                                   [SIGBUS] = "bus error",
                                                   [SIGFPE] = "arithmetic exception",
                                                   [SIGKILL] = "ended by SIGKILL",
                                                   [SIGUSR1] = "ended by SIGUSR1",
                                                   [SIGSEGV] = "segmentation fault",
                                                   [SIGUSR2] = "ended by SIGUSR2",
                                                   [SIGPIPE] = "ended by SIGPIPE",
                                                   [SIGALRM] = "ended by SIGALRM",
                                                   [SIGTERM] = "ended by SIGTERM",
                                                   [SIGSTKFLT] = "ended by SIGSTKFLT",
                                                   [SIGXCPU] = "ended by SIGXCPU",
                                                   [SIGXFSZ] = "ended by SIGXFSZ",
                                                   [SIGVTALRM] = "ended by SIGVTALRM",
                                                   [SIGPROF] = "ended by SIGPROF",
                                                   [SIGIO] = "ended by SIGIO",
                                                   [SIGPWR] = "ended by SIGPWR",
                                                   [SIGSYS] = "bad system call"};
    return words[number] != NULL ? words[number] : "ended by a real-time signal";
}

bool signal_has_handler(int number)
{
    return actions[number].sa_handler != SIG_DFL && actions[number].sa_handler != SIG_IGN;
}

bool signal_is_ignored(int number)
{
    return actions[number].sa_handler == SIG_IGN ||
           (actions[number].sa_handler == SIG_DFL && disposition_default(number) == DEFAULT_IGNORE);
}

bool signal_would_end(int number)
{
    return actions[number].sa_handler == SIG_DFL && disposition_default(number) == DEFAULT_END;
}

static int fails(int error)
{
    errno = error;
    return -1;
}

static bool can_change(int number)
{
    return number > 0 && number < SIGNALS_END && number != SIGKILL && number != SIGSTOP &&
           number != CANCEL_OF_LIBC && number != SETXID_OF_LIBC;
}

int signal_action(int number, const void *action, void *old, uintptr_t site)
{
    bool fixed = number == SIGKILL || number == SIGSTOP;
    if (!can_change(number) && !(fixed && action == NULL))
        return fails(EINVAL);
    struct sigaction new;
    if (action != NULL) {
        memory_read_before(OP_SIGNAL_SET, action, sizeof new, site);
        new = *(const struct sigaction *)action;
        uint32_t object = object_number(&actions[number]);
        announce((struct op){.kind = OP_SIGNAL_SET,
                             .size = (uint8_t)number,
                             .choices = 1,
                             .object = object,
                             .site = site});
        step_touch(object, OP_ACCESS_WRITE);
    }
    if (old != NULL) {
        memory_access(old, sizeof new, true, site);
        *(struct sigaction *)old = actions[number];
    }
    if (action == NULL)
        return 0;
    actions[number] = new;
    ex.signals.handlers_set |= signal_has_handler(number);
    if (number == SIGCHLD)
        children_watch(site);
    if (signal_is_ignored(number))
        signals_drop(number);
    return 0;
}

/* signal() and its like; SIG_ERR if that cannot be. */
static void *set_simple(int number, void *handler, int flags, uintptr_t site)
{
    struct sigaction new = {.sa_handler = (void (*)(int))handler, .sa_flags = flags}, old = {0};
    if (handler == (void *)SIG_ERR)
        return errno = EINVAL, (void *)SIG_ERR;
    if (!(flags & SA_NODEFER) && can_change(number))
        new.sa_mask.__val[0] = 1ul << (number - 1);
    return signal_action(number, &new, &old, site) == 0 ? (void *)old.sa_handler : (void *)SIG_ERR;
}

void *signal_bsd(int number, void *handler, uintptr_t site)
{
    return set_simple(number, handler, SA_RESTART, site);
}

void *signal_sysv(int number, void *handler, uintptr_t site)
{
    return set_simple(number, handler, (int)SA_RESETHAND | SA_NODEFER, site);
}

int signal_ignore(int number, uintptr_t site)
{
    return set_simple(number, (void *)SIG_IGN, 0, site) == (void *)SIG_ERR ? -1 : 0;
}

int signal_interrupt(int number, int interrupts, uintptr_t site)
{
    struct sigaction action = {0};
    if (signal_action(number, NULL, &action, site) != 0)
        return -1;
    action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return signal_action(number, &action, NULL, site);
}
