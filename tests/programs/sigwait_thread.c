// A thread of its own that waits for the signals of the process, which all others block: none is
// lost, and none comes to a handler. Then what sigwait, sigwaitinfo and sigtimedwait return.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs --points all
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;
static int got;

static void *wait_for_signals(void *unused)
{
    int number;
    do {
        assert(sigwait(&set, &number) == 0);
        got |= number == SIGUSR1 ? 1 : number == SIGUSR2 ? 2 : 4;
    } while (number != SIGTERM);
    return unused;
}

static void never(int number)
{
    assert(number == 0);
}

static void alone(void)
{
    siginfo_t info;
    struct timespec none = {0}, second = {.tv_sec = 1}, wrong = {.tv_nsec = -1}, before, after;
    assert(sigtimedwait(&set, &info, &none) == -1 && errno == EAGAIN);
    assert(sigtimedwait(&set, &info, &wrong) == -1 && errno == EINVAL);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert(sigtimedwait(&set, &info, &second) == -1 && errno == EAGAIN);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec >= 1);
    raise(SIGUSR2);
    kill(getpid(), SIGUSR1);
    assert(sigwaitinfo(&set, &info) == SIGUSR2 && info.si_code == SI_USER); /* its own first */
    assert(sigtimedwait(&set, &info, &second) == SIGUSR1 && info.si_code == SI_USER);
}

int main(void)
{
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGTERM);
    signal(SIGUSR1, never);
    signal(SIGUSR2, never);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    alone();
    pthread_create(&thread, NULL, wait_for_signals, NULL);
    kill(getpid(), SIGUSR1);
    pthread_kill(thread, SIGUSR2);
    kill(getpid(), SIGTERM);
    pthread_join(thread, NULL);
    assert(got == 7); /* SIGTERM has the highest number: it is taken last */
    return 0;
}
