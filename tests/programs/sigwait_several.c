// Two threads wait for a signal that is sent to the process twice. Each comes to its wait when it
// is created. A standard signal does not queue: if the second is sent before the first was taken,
// one of the two waits forever (2 executions: one for each that took it). Otherwise T1 takes the first, and main
// joins it before or after T2 takes the second; or T2 takes the first: 3 more.
// modes: all preload
// run: -s dfs -k
// expect: finding deadlock
// expect: executions 5
// expect: buggy 2
// expect: complete == true
// run: -s dfs -- queued
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int number;

static void *work(void *unused)
{
    int got;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    assert(sigwait(&set, &got) == 0 && got == number);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    sigset_t set;
    number = argc > 1 ? SIGRTMIN : SIGUSR1;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        kill(getpid(), number);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return argv == NULL;
}
