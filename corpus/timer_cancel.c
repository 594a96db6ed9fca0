// A timer thread calls back when the time has come, unless it was cancelled before. Cancelling
// tells it so and frees the request at once; a callback that has just been decided on, outside the
// lock, works on a request that is gone.
// group: idioms
// threads: 2
// finds: use-after-free
// lines: 44 86
// pb: 2
// db: 2
// options: --exit wait
// variants: timer_cancel
// variants: timer_cancel_fixed -DFIXED
// finds timer_cancel_fixed: nothing
// pb timer_cancel_fixed: -
// db timer_cancel_fixed: -
// twin: timer_cancel_fixed
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

struct request {
    int retries;
};

struct timer {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct timespec deadline;
    struct request *request;
    bool cancelled, firing;
};

static struct timer timer = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .changed = PTHREAD_COND_INITIALIZER,
};

static void request_retry(struct request *request)
{
    request->retries++;
}

static void *timer_run(void *unused)
{
    pthread_mutex_lock(&timer.lock);
    int error = 0;
    while (!timer.cancelled && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&timer.changed, &timer.lock, &timer.deadline);
    if (!timer.cancelled) {
        timer.firing = true;
        pthread_mutex_unlock(&timer.lock);
        request_retry(timer.request);
        pthread_mutex_lock(&timer.lock);
        timer.firing = false;
        pthread_cond_broadcast(&timer.changed);
    }
    pthread_mutex_unlock(&timer.lock);
    return unused;
}

static void timer_cancel(void)
{
    pthread_mutex_lock(&timer.lock);
    timer.cancelled = true;
#ifdef FIXED
    while (timer.firing)
        pthread_cond_wait(&timer.changed, &timer.lock);
#endif
    pthread_cond_broadcast(&timer.changed);
    pthread_mutex_unlock(&timer.lock);
}

int main(void)
{
    timer.request = calloc(1, sizeof *timer.request);
    assert(timer.request != NULL);
    clock_gettime(CLOCK_REALTIME, &timer.deadline);
    timer.deadline.tv_sec += 30;
    pthread_t thread;
    pthread_create(&thread, NULL, timer_run, NULL);
    timer_cancel();
    free(timer.request);
    pthread_join(thread, NULL);
    return 0;
}
