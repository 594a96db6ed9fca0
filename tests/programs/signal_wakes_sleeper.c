// Sleeps and waits that a signal ends at once, whatever SA_RESTART says: what was left is right. T1
// sleeps; main sends. T1's sleep is over before the signal is sent (then it comes to a thread that
// has ended), or the handler runs in it, or just before it: 3 executions.
// modes: all preload
// run: -s dfs -- nanosleep
// expect: no finding
// expect: executions 3
// run: -s dfs -- sleep
// expect: no finding
// expect: executions 3
// run: -s dfs -- clock
// expect: no finding
// expect: executions 3
// run: -s dfs -- poll
// expect: no finding
// expect: executions 3
// run: -s dfs -- sem
// expect: no finding
// expect: executions 3
// run: -s dfs -- sigtimedwait
// expect: no finding
// expect: executions 3
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *way;
static sem_t semaphore;

static void on_signal(int number)
{
}

static void *work(void *unused)
{
    struct timespec hour = {.tv_sec = 3600}, left = {0}, end;
    sigset_t none;
    sigemptyset(&none);
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 3600;
    if (strcmp(way, "nanosleep") == 0) {
        if (nanosleep(&hour, &left) != 0)
            assert(errno == EINTR && left.tv_sec >= 3599);
    } else if (strcmp(way, "sleep") == 0) {
        unsigned seconds = sleep(3600);
        assert(seconds == 0 || seconds == 3600);
    } else if (strcmp(way, "clock") == 0) {
        int error = clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &end, &left);
        assert((error == 0 || error == EINTR) && left.tv_sec == 0);
    } else if (strcmp(way, "poll") == 0) {
        int result = poll(NULL, 0, 3600000);
        assert(result == 0 || (result == -1 && errno == EINTR));
    } else if (strcmp(way, "sem") == 0) {
        assert(sem_timedwait(&semaphore, &end) == -1);
        assert(errno == EINTR || errno == ETIMEDOUT);
    } else {
        assert(sigtimedwait(&none, NULL, &hour) == -1);
        assert(errno == EINTR || errno == EAGAIN);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "nanosleep";
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_kill(thread, SIGUSR1) == 0);
    pthread_join(thread, NULL);
    return 0;
}
