// "If it has not come yet, wait for it": a signal that comes between the two is missed
// with pause. sigsuspend lets it in and waits in one go.
// modes: all preload
// run: -s dfs -k -- pause
// expect: finding deadlock
// expect: output sleep until a signal comes
// expect: output cause: perhaps a lost wake-up: T0's send SIGUSR1 to T1
// expect: complete == true
// run: -s dfs -- sigsuspend
// expect: no finding
// expect: complete == true
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t come;
static int use_pause;

static void on_signal(int number)
{
    come = number;
}

static void *work(void *unused)
{
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (!use_pause)
        pthread_sigmask(SIG_BLOCK, &set, &old);
    while (!come) {
        if (use_pause)
            pause();
        else
            sigsuspend(&old);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    use_pause = argc > 1 && strcmp(argv[1], "pause") == 0;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
