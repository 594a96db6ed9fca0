// A timer that expires again and again before a thread takes its next step makes no deadlock: the thread could go
// on each time.
// run: -s pct -n 40 --steps 3000
// expect: no finding
#include <sched.h>
#include <signal.h>
#include <sys/time.h>

static void on_tick(int number)
{
}

int main(void)
{
    struct itimerval value = {.it_value.tv_usec = 10, .it_interval.tv_usec = 10};
    signal(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &value, NULL);
    for (int turn = 0; turn < 200; turn++)
        sched_yield();
    return 0;
}
