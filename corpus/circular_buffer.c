// Sender and receiver take turns at a ring, and each counts its attempts, not its transfers. A
// receiver that comes once too early expects the second value when it gets the first.
// group: cs
// threads: 3
// finds: assertion
// lines: 65 70
// pb: 1
// db: 2
// options: --exit wait
// variants: circular_buffer
// variants: circular_buffer_fixed -DFIXED
// finds circular_buffer_fixed: nothing
// pb circular_buffer_fixed: -
// db circular_buffer_fixed: -
// twin circular_buffer: circular_buffer_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SLOTS = 4, ATTEMPTS = 6 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int slots[SLOTS];
static int first, next;
static bool may_send = true, may_receive;
#ifdef FIXED
static int sent, received;
#endif

static void ring_put(int value)
{
    slots[next] = value;
    next = (next + 1) % SLOTS;
}

static int ring_take(void)
{
    int value = slots[first];
    first = (first + 1) % SLOTS;
    return value;
}

static void *send(void *unused)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&mutex);
        if (may_send) {
#ifdef FIXED
            ring_put(sent++);
#else
            ring_put(i);
#endif
            may_send = false;
            may_receive = true;
        }
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *receive(void *unused)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&mutex);
        if (may_receive) {
#ifdef FIXED
            assert(ring_take() == received++);
#else
            assert(ring_take() == i);
#endif
            may_receive = false;
            may_send = true;
        }
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t sender, receiver;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&receiver, NULL, receive, NULL);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    return 0;
}
