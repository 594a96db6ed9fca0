// A running timer is like a thread whose only step is its expiry. main sets an alarm, then locks
// and unlocks twice and returns; the handler has no operations. The expiry comes before one of
// main's four operations, before the exit, or never; after it main's next step is to run the
// handler, no choice: 6 executions.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 6
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void on_alarm(int number)
{
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    alarm(1);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
