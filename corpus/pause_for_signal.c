// A thread tests a flag that a signal handler sets, and then calls pause(). A signal that comes
// between the two is handled before pause() begins, and pause() waits for another one. Blocking the
// signal and waiting with sigsuspend() closes the gap.
// group: idioms
// threads: 2
// finds: deadlock
// lines: 41 59
// pb: 2
// db: 2
// options: --exit wait
// variants: pause_for_signal
// variants: pause_for_signal_fixed -DFIXED
// finds pause_for_signal_fixed: nothing
// pb pause_for_signal_fixed: -
// db pause_for_signal_fixed: -
// twin: pause_for_signal_fixed
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int reload_wanted;

static void note(int signal)
{
    reload_wanted = signal;
}

static void *serve(void *unused)
{
#ifdef FIXED
    sigset_t all_but_this;
    pthread_sigmask(SIG_SETMASK, NULL, &all_but_this);
    sigdelset(&all_but_this, SIGUSR1);
    while (!reload_wanted)
        sigsuspend(&all_but_this);
#else
    while (!reload_wanted)
        pause();
#endif
    return unused;
}

int main(void)
{
    struct sigaction action = {.sa_handler = note};
    int error = sigaction(SIGUSR1, &action, NULL);
    assert(error == 0);
#ifdef FIXED
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
#endif
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    pthread_kill(server, SIGUSR1);
    pthread_join(server, NULL);
    assert(reload_wanted);
    return 0;
}
