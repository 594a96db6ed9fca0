// A timer that goes on forever does not hide that the threads wait for each other.
// modes: all
// run: --always stop -s dfs --no-shrink --steps 3000
// expect: finding deadlock
// expect: output only timers go on
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void on_tick(int number)
{
}

int main(void)
{
    struct itimerval value = {.it_value.tv_usec = 10, .it_interval.tv_usec = 10};
    signal(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &value, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return 0;
}
