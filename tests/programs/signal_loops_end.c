// Loops that wait for a signal without an operation that sleeps end when it comes: over a flag that
// the handler sets, with and without giving way, and over what is pending. The same for a timer's
// signal.
// modes: all
// run: -s dfs -- flag
// expect: no finding
// expect: complete == true
// run: -s dfs -- yield
// expect: no finding
// expect: complete == true
// run: -s dfs -- pending
// expect: no finding
// expect: complete == true
// run: -s dfs -- alarm
// expect: no finding
// expect: complete == true
// run: -s random -n 50 -- pending
// expect: no finding
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t flag;
static const char *way;
static sigset_t set;

static void on_signal(int number)
{
    flag = 1;
}

static void *work(void *unused)
{
    if (strcmp(way, "pending") == 0) {
        sigset_t pending;
        do
            sigpending(&pending);
        while (!sigismember(&pending, SIGUSR1));
        return unused;
    }
    while (!flag)
        if (strcmp(way, "yield") == 0)
            sched_yield();
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "flag";
    signal(SIGUSR1, on_signal);
    signal(SIGALRM, on_signal);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (strcmp(way, "alarm") == 0) {
        alarm(1);
        work(NULL);
        return 0;
    }
    if (strcmp(way, "pending") == 0)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, work, NULL);
    if (strcmp(way, "pending") == 0)
        kill(getpid(), SIGUSR1);
    else
        pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
