// The older functions of signals: what they return and do is the same as with libc.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s random -n 5
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern sighandler_t bsd_signal(int number, sighandler_t handler);
extern sighandler_t sysv_signal(int number, sighandler_t handler);
extern sighandler_t __sysv_signal(int number, sighandler_t handler);

static volatile sig_atomic_t handled;
static jmp_buf back;

static void count(int number)
{
    handled++;
}

static void jump(int number)
{
    _longjmp(back, number);
}

static sighandler_t handler_of(int number)
{
    struct sigaction action;
    assert(sigaction(number, NULL, &action) == 0);
    return action.sa_handler;
}

static int flags_of(int number)
{
    struct sigaction action;
    assert(sigaction(number, NULL, &action) == 0);
    return action.sa_flags & (int)(SA_RESTART | SA_RESETHAND | SA_NODEFER);
}

static void handlers(void)
{
    assert(ssignal(SIGUSR1, count) == SIG_DFL);
    assert(gsignal(SIGUSR1) == 0 && handled == 1 && handler_of(SIGUSR1) == count);
    assert(bsd_signal(SIGUSR1, count) == count && flags_of(SIGUSR1) == SA_RESTART);
    assert(siginterrupt(SIGUSR1, 1) == 0 && flags_of(SIGUSR1) == 0);
    assert(siginterrupt(SIGUSR1, 0) == 0 && flags_of(SIGUSR1) == SA_RESTART);
    assert(sysv_signal(SIGUSR1, count) == count);
    assert(flags_of(SIGUSR1) == (int)(SA_RESETHAND | SA_NODEFER));
    assert(raise(SIGUSR1) == 0 && handled == 2 && handler_of(SIGUSR1) == SIG_DFL);
    assert(__sysv_signal(SIGUSR1, SIG_IGN) == SIG_DFL && handler_of(SIGUSR1) == SIG_IGN);
    assert(sigignore(SIGUSR2) == 0 && handler_of(SIGUSR2) == SIG_IGN);
    assert(raise(SIGUSR2) == 0);
}

static void errors(void)
{
    assert(signal(SIGKILL, count) == SIG_ERR && errno == EINVAL);
    assert(ssignal(0, count) == SIG_ERR && errno == EINVAL);
    assert(bsd_signal(65, count) == SIG_ERR && errno == EINVAL);
    assert(sysv_signal(SIGSTOP, count) == SIG_ERR && errno == EINVAL);
    assert(__sysv_signal(-1, count) == SIG_ERR && errno == EINVAL);
    errno = 0;
    assert(siginterrupt(65, 1) == -1 && errno == EINVAL);
    errno = 0;
    assert(sighold(65) == -1 && errno == EINVAL);
    errno = 0;
    assert(sigrelse(-1) == -1 && errno == EINVAL);
    errno = 0;
    assert(sigignore(SIGKILL) == -1 && errno == EINVAL);
    errno = 0;
    assert(gsignal(65) == -1 && errno == EINVAL);
    errno = 0;
    assert(raise(-1) == -1 && errno == EINVAL);
    errno = 0;
    assert(killpg(-1, 0) == -1 && errno == EINVAL);
    errno = 0;
    assert(killpg(0, 65) == -1 && errno == EINVAL);
}

static void to_the_group(void)
{
    handled = 0;
    assert(signal(SIGURG, count) == SIG_DFL); /* others in the group ignore it */
    assert(killpg(0, SIGURG) == 0 && handled == 1);
    assert(killpg(0, 0) == 0);
}

static void held_back(void)
{
    handled = 0;
    assert(signal(SIGUSR1, count) == SIG_IGN);
    assert(sighold(SIGUSR1) == 0);
    assert(raise(SIGUSR1) == 0 && handled == 0);
    assert(sigrelse(SIGUSR1) == 0 && handled == 1);
}

static void jumped_out_of(void)
{
    signal(SIGUSR2, jump);
    if (_setjmp(back) == 0) {
        raise(SIGUSR2);
        assert(!"the handler does not return");
    }
    assert(sigrelse(SIGUSR2) == 0); /* _longjmp leaves the mask of the handler */
}

static void after_microseconds(void)
{
    handled = 0;
    assert(signal(SIGALRM, count) == SIG_DFL);
    assert(sighold(SIGALRM) == 0);
    assert(ualarm(1000, 0) == 0);
    sigset_t none;
    sigemptyset(&none);
    assert(sigsuspend(&none) == -1 && errno == EINTR && handled == 1);
    assert(ualarm(0, 0) == 0);
}

int main(void)
{
    handlers();
    errors();
    to_the_group();
    held_back();
    jumped_out_of();
    after_microseconds();
    return 0;
}
