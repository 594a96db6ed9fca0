// SIGEV_THREAD: each expiry starts a thread. Here it posts, and main waits for that: whatever comes
// first, the time has come by then. Steps: the setting, the expiry (which runs the new thread up to
// its post), the post, main's wait, its exit: one execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s dfs -- twice
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t semaphore;

static void expired(union sigval value)
{
    assert(value.sival_ptr == &semaphore);
    sem_post(value.sival_ptr);
}

int main(int argc, char **argv)
{
    timer_t timer;
    struct timespec from, to;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                             .sigev_notify_function = expired,
                             .sigev_value.sival_ptr = &semaphore};
    struct itimerspec value = {.it_value.tv_sec = 1, .it_interval.tv_sec = argc > 1};
    sem_init(&semaphore, 0, 0);
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert(timer_settime(timer, 0, &value, NULL) == 0);
    sem_wait(&semaphore);
    if (argc > 1) {
        sem_wait(&semaphore);
        timer_delete(timer);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert(to.tv_sec - from.tv_sec >= argc);
    return argv == NULL;
}
