// Timers and sleeps, alone: a timer expires when its time has come and never later, so a longer
// sleep is interrupted by it and one that is over before may still be. The handler runs in the
// sleep, or just before it: the two outcomes of each interruption.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs -- claim
// expect: finding assertion
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rings;

static void on_alarm(int number)
{
    rings++;
}

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    long start = now();
    assert(alarm(10) == 0);
    unsigned left = sleep(30);
    assert(rings == 1);
    assert(left == 20 || left == 0); /* it rang before sleep was called, unlikely as that is */
    assert(argc == 1 || left == 20);
    assert(now() - start >= (left == 0 ? 30 : 10) && now() - start < 50);

    assert(alarm(100) == 0);
    assert(alarm(0) >= 99 || rings == 2); /* between the two it may ring, if it takes so long */
    int before = rings;
    assert(sleep(200) == 0 && rings == before); /* it does not run any more */

    struct itimerval value = {.it_value.tv_sec = 5}, old;
    assert(setitimer(99, &value, NULL) == -1 && errno == EINVAL);
    value.it_value.tv_usec = 1000000;
    assert(setitimer(ITIMER_REAL, &value, NULL) == -1 && errno == EINVAL);
    assert(getitimer(99, &old) == -1 && errno == EINVAL);
    assert(getitimer(ITIMER_REAL, &old) == 0);
    assert(old.it_value.tv_sec == 0 && old.it_value.tv_usec == 0);
    return argv == NULL;
}
