// An event loop sleeps on a semaphore that is posted only if the loop is not awake already. It goes
// through the events that have come and says afterwards that it will sleep: an event that comes in
// between finds it awake, does not post, and waits forever.
// group: large
// threads: 4
// finds: deadlock
// lines: 43 70
// pb: 1
// db: 2
// options: --exit wait
// variants: event_loop
// variants: event_loop_fixed -DFIXED
// finds event_loop_fixed: nothing
// pb event_loop_fixed: -
// db event_loop_fixed: -
// twin event_loop: event_loop_fixed
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { SENDERS = 2, EVENTS = 10 };

struct event {
    struct event *next;
};

static struct loop {
    pthread_mutex_t lock;
    sem_t wake;
    atomic_bool awake;
    struct event *events;
} loop = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void loop_send(struct event *event)
{
    pthread_mutex_lock(&loop.lock);
    event->next = loop.events;
    loop.events = event;
    pthread_mutex_unlock(&loop.lock);
    if (!atomic_exchange(&loop.awake, true))
        sem_post(&loop.wake);
}

static struct event *loop_take(void)
{
    pthread_mutex_lock(&loop.lock);
    struct event *event = loop.events;
    if (event != NULL)
        loop.events = event->next;
    pthread_mutex_unlock(&loop.lock);
    return event;
}

static void *loop_run(void *unused)
{
    struct event *event;
    for (int handled = 0; handled < SENDERS * EVENTS;) {
        sem_wait(&loop.wake);
#ifdef FIXED
        loop.awake = false;
#endif
        while ((event = loop_take()) != NULL) {
            free(event);
            handled++;
        }
#ifndef FIXED
        loop.awake = false;
#endif
    }
    return unused;
}

static void *send_events(void *unused)
{
    for (int i = 0; i < EVENTS; i++)
        loop_send(malloc(sizeof(struct event)));
    return unused;
}

int main(void)
{
    sem_init(&loop.wake, 0, 0);
    pthread_t runner, senders[SENDERS];
    pthread_create(&runner, NULL, loop_run, NULL);
    for (int i = 0; i < SENDERS; i++)
        pthread_create(&senders[i], NULL, send_events, NULL);
    for (int i = 0; i < SENDERS; i++)
        pthread_join(senders[i], NULL);
    pthread_join(runner, NULL);
    sem_destroy(&loop.wake);
    return 0;
}
