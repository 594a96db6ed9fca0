// A timer wheel as people write it: buckets of timers, a thread that sleeps from tick to tick by a
// timerfd and an eventfd that wakes it, timers that are cancelled while they may be firing. With
// "unlocked" a callback's owner frees what the callback still uses.
// build: gcc -O1
// build: clang -O1
// run: -s preempt -b 1 -n 20000
// expect: no finding
// run: -s random -n 200
// expect: no finding
// run: --isolate fork -s random -n 20
// expect: no finding
// run: -s preempt -b 2 -- unlocked
// expect: finding use-after-free
// expect: finding race
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { BUCKETS = 8, TICK_MILLISECONDS = 10 };

struct timer {
    LIST_ENTRY(timer) link;
    unsigned rounds;
    bool queued;
    void (*call)(void *context);
    void *context;
};

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t idle;
    LIST_HEAD(bucket, timer) buckets[BUCKETS];
    unsigned now;
    struct timer *firing;
    int tick, wake;
    bool ending;
    pthread_t thread;
} wheel = {.mutex = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};
static bool waits_for_callbacks = true;

static void timer_start(struct timer *timer, unsigned ticks)
{
    pthread_mutex_lock(&wheel.mutex);
    unsigned at = (wheel.now + ticks) % BUCKETS;
    timer->rounds = ticks / BUCKETS;
    timer->queued = true;
    LIST_INSERT_HEAD(&wheel.buckets[at], timer, link);
    pthread_mutex_unlock(&wheel.mutex);
}

/* False: it has fired. When it returns the callback does not run any more. */
static bool timer_cancel(struct timer *timer)
{
    pthread_mutex_lock(&wheel.mutex);
    bool queued = timer->queued;
    if (queued) {
        LIST_REMOVE(timer, link);
        timer->queued = false;
    }
    while (waits_for_callbacks && wheel.firing == timer)
        pthread_cond_wait(&wheel.idle, &wheel.mutex);
    pthread_mutex_unlock(&wheel.mutex);
    return queued;
}

static struct timer *take_due(struct bucket *bucket)
{
    struct timer *timer;
    LIST_FOREACH(timer, bucket, link)
        if (timer->rounds == 0) {
            LIST_REMOVE(timer, link);
            timer->queued = false;
            return timer;
        }
    return NULL;
}

static void advance(void)
{
    struct timer *timer;
    struct bucket *bucket = &wheel.buckets[wheel.now];
    while ((timer = take_due(bucket)) != NULL) {
        wheel.firing = timer;
        pthread_mutex_unlock(&wheel.mutex);
        timer->call(timer->context);
        pthread_mutex_lock(&wheel.mutex);
        wheel.firing = NULL;
        pthread_cond_broadcast(&wheel.idle);
    }
    LIST_FOREACH(timer, bucket, link)
        timer->rounds--;
    wheel.now = (wheel.now + 1) % BUCKETS;
}

static void *turn(void *unused)
{
    struct pollfd files[2] = {{.fd = wheel.tick, .events = POLLIN},
                              {.fd = wheel.wake, .events = POLLIN}};
    uint64_t ticks;
    pthread_mutex_lock(&wheel.mutex);
    while (!wheel.ending) {
        pthread_mutex_unlock(&wheel.mutex);
        if (poll(files, 2, -1) < 0 && errno != EINTR)
            abort();
        ticks = 0;
        if (files[0].revents & POLLIN && read(wheel.tick, &ticks, sizeof ticks) < 0)
            ticks = 0;
        pthread_mutex_lock(&wheel.mutex);
        for (; ticks > 0; ticks--)
            advance();
    }
    pthread_mutex_unlock(&wheel.mutex);
    return unused;
}

static void wheel_begin(void)
{
    struct itimerspec every = {.it_value.tv_nsec = TICK_MILLISECONDS * 1000000,
                               .it_interval.tv_nsec = TICK_MILLISECONDS * 1000000};
    wheel.tick = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    wheel.wake = eventfd(0, EFD_CLOEXEC);
    if (wheel.tick < 0 || wheel.wake < 0 || timerfd_settime(wheel.tick, 0, &every, NULL) < 0)
        abort();
    pthread_create(&wheel.thread, NULL, turn, NULL);
}

static void wheel_end(void)
{
    pthread_mutex_lock(&wheel.mutex);
    wheel.ending = true;
    pthread_mutex_unlock(&wheel.mutex);
    eventfd_write(wheel.wake, 1);
    pthread_join(wheel.thread, NULL);
    close(wheel.tick);
    close(wheel.wake);
}

struct session {
    struct timer timeout;
    int expired;
};

static void expire(void *context)
{
    struct session *session = context;
    session->expired++;
}

int main(int argc, char **argv)
{
    waits_for_callbacks = argc < 2 || strcmp(argv[1], "unlocked") != 0;
    wheel_begin();
    struct session *session = calloc(1, sizeof *session);
    session->timeout = (struct timer){.call = expire, .context = session};
    timer_start(&session->timeout, 1);
    usleep(15000);
    bool cancelled = timer_cancel(&session->timeout);
    if (waits_for_callbacks)
        assert(session->expired == !cancelled);
    free(session);
    wheel_end();
    return 0;
}
