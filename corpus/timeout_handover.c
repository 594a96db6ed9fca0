// A request is handed to a waiting server, which gives up after a while. It then writes a line to the
// log and only afterwards says that it no longer waits: a request that is handed over in between is
// accepted, and nobody serves it.
// group: idioms
// threads: 2
// finds: assertion
// lines: 55 65
// pb: 2
// db: 2
// options: --exit wait
// variants: timeout_handover
// variants: timeout_handover_fixed -DFIXED
// finds timeout_handover_fixed: nothing
// pb timeout_handover_fixed: -
// db timeout_handover_fixed: -
// twin: timeout_handover_fixed
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static bool is_waiting, has_request;
static int served, given_up;

static void log_timeout(void)
{
    given_up++;
}

static void *serve(void *unused)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    pthread_mutex_lock(&lock);
    is_waiting = true;
    int error = 0;
    while (!has_request && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&arrived, &lock, &deadline);
    if (has_request) {
        served++;
    } else {
#ifdef FIXED
        is_waiting = false;
        pthread_mutex_unlock(&lock);
        log_timeout();
        pthread_mutex_lock(&lock);
#else
        pthread_mutex_unlock(&lock);
        log_timeout();
        pthread_mutex_lock(&lock);
        is_waiting = false;
#endif
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static bool hand_over(void)
{
    pthread_mutex_lock(&lock);
    bool accepted = is_waiting;
    if (accepted) {
        has_request = true;
        pthread_cond_signal(&arrived);
    }
    pthread_mutex_unlock(&lock);
    return accepted;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    bool accepted = hand_over();
    pthread_join(server, NULL);
    assert(served == accepted);
    assert(served + given_up == 1);
    return 0;
}
