// A timer wheel: a thread turns it and runs what is due, others set timers and cancel them. To
// cancel, the state of a timer is looked at without the lock; if the timer fires before the lock is
// taken it has left its slot, and is taken out a second time.
// group: large
// threads: 4
// finds: assertion
// lines: 63 65
// pb: 1
// db: 1
// options: --exit wait
// variants: timer_wheel
// variants: timer_wheel_fixed -DFIXED
// finds timer_wheel_fixed: nothing
// pb timer_wheel_fixed: -
// db timer_wheel_fixed: -
// twin timer_wheel: timer_wheel_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { SLOTS = 4, TURNS = 10, CLIENTS = 2, TIMERS = 7 };
enum timer_state { IDLE, PENDING, FIRED, CANCELLED };

struct timer {
    struct timer *next, *previous;
    _Atomic enum timer_state state;
};

static struct wheel {
    pthread_mutex_t lock;
    struct timer slots[SLOTS]; /* rings */
    int now, pending;
} wheel = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct timer timers[CLIENTS][TIMERS];

static void timer_unlink(struct timer *timer)
{
    assert(timer->next != NULL);
    timer->next->previous = timer->previous;
    timer->previous->next = timer->next;
    timer->next = timer->previous = NULL;
    wheel.pending--;
}

static void timer_set(struct timer *timer, int delay)
{
    pthread_mutex_lock(&wheel.lock);
    struct timer *slot = &wheel.slots[(wheel.now + delay) % SLOTS];
    timer->next = slot;
    timer->previous = slot->previous;
    slot->previous->next = timer;
    slot->previous = timer;
    wheel.pending++;
    timer->state = PENDING;
    pthread_mutex_unlock(&wheel.lock);
}

static void timer_cancel(struct timer *timer)
{
    if (timer->state != PENDING)
        return;
    pthread_mutex_lock(&wheel.lock);
#ifdef FIXED
    if (timer->state == PENDING)
#endif
    {
        timer_unlink(timer);
        timer->state = CANCELLED;
    }
    pthread_mutex_unlock(&wheel.lock);
}

static void *turn(void *unused)
{
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&wheel.lock);
        struct timer *slot = &wheel.slots[wheel.now++ % SLOTS];
        while (slot->next != slot) {
            struct timer *due = slot->next;
            timer_unlink(due);
            due->state = FIRED;
        }
        pthread_mutex_unlock(&wheel.lock);
    }
    return unused;
}

static void *request(void *number)
{
    struct timer *own = timers[(intptr_t)number];
    for (int i = 0; i < TIMERS; i++) {
        timer_set(&own[i], i % SLOTS + 1);
        if (i >= 2)
            timer_cancel(&own[i - 2]);
    }
    for (int i = 0; i < TIMERS; i++)
        timer_cancel(&own[i]);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < SLOTS; i++)
        wheel.slots[i].next = wheel.slots[i].previous = &wheel.slots[i];
    pthread_t turner, clients[CLIENTS];
    for (intptr_t i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, request, (void *)i);
    pthread_create(&turner, NULL, turn, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(turner, NULL);
    assert(wheel.pending == 0);
    return 0;
}
