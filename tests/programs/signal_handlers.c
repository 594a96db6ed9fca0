// Signals that a thread sends to itself, and how handlers are run: masks, flags, order, queues,
// values. Nobody else is there: one execution, and the same as without Bohr.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

char seen[32]; /* not static: the compiler must expect that pthread_sigmask changes them */
siginfo_t last;
sigset_t in_handler;

static void note(char what)
{
    seen[strlen(seen)] = what;
}

static bool saw(const char *what)
{
    bool same = strcmp(seen, what) == 0;
    memset(seen, 0, sizeof seen);
    return same;
}

static void on_simple(int number)
{
    note(number == SIGUSR1 ? '1' : number == SIGUSR2 ? '2' : 'r');
    pthread_sigmask(SIG_BLOCK, NULL, &in_handler);
}

static void on_info(int number, siginfo_t *info, void *context)
{
    assert(context != NULL && info->si_signo == number);
    note('i');
    last = *info;
}

static void on_nested(int number)
{
    note('(');
    if (strlen(seen) < 3)
        raise(number);
    note(')');
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    assert(sigaction(number, &action, NULL) == 0);
}

static void block(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    assert(pthread_sigmask(how, &set, NULL) == 0);
}

static void masks(void)
{
    handle(SIGUSR1, on_simple, 0);
    handle(SIGUSR2, on_simple, SA_NODEFER);
    assert(raise(SIGUSR1) == 0 && saw("1"));
    assert(sigismember(&in_handler, SIGUSR1) && !sigismember(&in_handler, SIGUSR2));
    assert(kill(getpid(), SIGUSR2) == 0 && saw("2"));
    assert(!sigismember(&in_handler, SIGUSR2));
    struct sigaction action = {.sa_handler = on_simple};
    sigaddset(&action.sa_mask, SIGTERM);
    assert(sigaction(SIGUSR1, &action, NULL) == 0);
    assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && saw("1"));
    assert(sigismember(&in_handler, SIGTERM));
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(sigisemptyset(&now));
}

static void pending(void)
{
    sigset_t set;
    block(SIG_BLOCK, SIGUSR1);
    raise(SIGUSR1);
    raise(SIGUSR1); /* the same: it does not queue */
    assert(saw(""));
    assert(sigpending(&set) == 0 && sigismember(&set, SIGUSR1) && !sigismember(&set, SIGUSR2));
    block(SIG_UNBLOCK, SIGUSR1);
    assert(saw("1"));
    assert(sigpending(&set) == 0 && sigisemptyset(&set));
    /* two at a time: Linux runs the handler of the higher one on top of the other's */
    block(SIG_BLOCK, SIGUSR1);
    block(SIG_BLOCK, SIGUSR2);
    raise(SIGUSR1);
    raise(SIGUSR2);
    sigemptyset(&set);
    assert(sigprocmask(SIG_SETMASK, &set, NULL) == 0);
    assert(saw("21"));
    /* ignored while it is pending: gone */
    block(SIG_BLOCK, SIGUSR1);
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_IGN);
    handle(SIGUSR1, on_simple, 0);
    block(SIG_UNBLOCK, SIGUSR1);
    assert(saw(""));
}

static void flags(void)
{
    handle(SIGUSR1, on_nested, SA_NODEFER);
    raise(SIGUSR1);
    assert(saw("((()))"));
    handle(SIGUSR1, on_nested, 0); /* one after the other */
    raise(SIGUSR1);
    assert(saw("()()"));
    handle(SIGUSR1, on_simple, (int)SA_RESETHAND);
    raise(SIGUSR1);
    struct sigaction now;
    assert(sigaction(SIGUSR1, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
    assert(saw("1"));
    assert(signal(SIGUSR1, on_simple) == SIG_DFL);
    assert(signal(SIGUSR1, SIG_IGN) == on_simple);
    assert(raise(SIGUSR1) == 0 && saw(""));
    assert(raise(SIGCHLD) == 0 && raise(SIGURG) == 0 && raise(SIGWINCH) == 0);
}

static void values(void)
{
    struct sigaction action = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO};
    assert(sigaction(SIGRTMIN, &action, NULL) == 0);
    assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 42}) == 0);
    assert(saw("i") && last.si_code == SI_QUEUE && last.si_value.sival_int == 42);
    assert(last.si_pid == getpid() && last.si_uid == getuid());
    block(SIG_BLOCK, SIGRTMIN);
    for (int i = 0; i < 3; i++) /* real-time signals queue */
        assert(pthread_sigqueue(pthread_self(), SIGRTMIN, (union sigval){.sival_int = i}) == 0);
    block(SIG_UNBLOCK, SIGRTMIN);
    assert(saw("iii") && last.si_value.sival_int == 2);
    assert(kill(getpid(), SIGRTMIN) == 0 && saw("i") && last.si_code == SI_USER);
    assert(raise(SIGRTMIN) == 0 && saw("i") && last.si_code == SI_TKILL);
    assert(tgkill(getpid(), gettid(), SIGRTMIN) == 0 && saw("i"));
    handle(SIGRTMIN, SIG_DFL, 0);
}

static void errors(void)
{
    sigset_t set;
    sigfillset(&set);
    assert(sigaction(SIGKILL, &(struct sigaction){.sa_handler = on_simple}, NULL) == -1);
    assert(errno == EINVAL);
    assert(sigaction(99, NULL, NULL) == -1 && errno == EINVAL);
    assert(signal(SIGSTOP, on_simple) == SIG_ERR && errno == EINVAL);
    assert(pthread_sigmask(99, &set, NULL) == EINVAL);
    assert(sigprocmask(99, &set, NULL) == -1 && errno == EINVAL);
    assert(raise(99) != 0);
    assert(kill(getpid(), 99) == -1 && errno == EINVAL);
    assert(kill(getpid(), 0) == 0);
    assert(pthread_kill(pthread_self(), 0) == 0);
    assert(pthread_kill(pthread_self(), 99) == EINVAL);
    assert(tgkill(getpid(), 12345678, SIGUSR1) == -1 && errno == ESRCH);
    sigset_t before, after;
    assert(sigprocmask(SIG_BLOCK, &set, &before) == 0);
    assert(sigprocmask(SIG_SETMASK, &before, &after) == 0);
    assert(!sigismember(&after, SIGKILL) && !sigismember(&after, SIGSTOP));
    assert(sigismember(&after, SIGTERM));
}

int main(void)
{
    masks();
    pending();
    flags();
    values();
    errors();
    return 0;
}
