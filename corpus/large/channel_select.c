// Channels without room, and a receiver that selects from two of them: it queues itself at both and
// sleeps. A sender hands its value to the receiver that waits at its channel, if that has not got
// one yet from the other; but it looks at that before it takes the lock of the receiver, so that
// two senders may both find it empty, and the first of the two values is lost.
// group: large
// threads: 4
// finds: deadlock
// pb: 1
// db: 1
// beyond: pb
// lines: 49
// options: --exit wait
// variants: channel_select
// variants: channel_select_fixed -DFIXED
// finds channel_select_fixed: nothing
// pb channel_select_fixed: -
// db channel_select_fixed: -
// twin channel_select: channel_select_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHANNELS = 2, VALUES = 5 };

struct receiver {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    atomic_bool full;
    int value;
};

static struct channel {
    pthread_mutex_t lock;
    pthread_cond_t waited_for;
    struct receiver *receiver; /* that waits, or NULL */
} channels[CHANNELS];

/* Whether the receiver took the value: it may have got one from the other channel already. */
static bool hand_over(struct receiver *receiver, int value)
{
#ifdef FIXED
    pthread_mutex_lock(&receiver->lock);
    bool empty = !receiver->full;
#else
    bool empty = !receiver->full;
    pthread_mutex_lock(&receiver->lock);
#endif
    if (empty) {
        receiver->value = value;
        receiver->full = true;
        pthread_cond_signal(&receiver->arrived);
    }
    pthread_mutex_unlock(&receiver->lock);
    return empty;
}

static void channel_send(struct channel *channel, int value)
{
    bool sent = false;
    pthread_mutex_lock(&channel->lock);
    while (!sent) {
        while (channel->receiver == NULL)
            pthread_cond_wait(&channel->waited_for, &channel->lock);
        sent = hand_over(channel->receiver, value);
        channel->receiver = NULL;
    }
    pthread_mutex_unlock(&channel->lock);
}

static void channel_wait(struct channel *channel, struct receiver *receiver)
{
    pthread_mutex_lock(&channel->lock);
    channel->receiver = receiver;
    if (receiver != NULL)
        pthread_cond_signal(&channel->waited_for);
    pthread_mutex_unlock(&channel->lock);
}

static int channel_select(struct receiver *receiver)
{
    for (int i = 0; i < CHANNELS; i++)
        channel_wait(&channels[i], receiver);
    pthread_mutex_lock(&receiver->lock);
    while (!receiver->full)
        pthread_cond_wait(&receiver->arrived, &receiver->lock);
    pthread_mutex_unlock(&receiver->lock);
    for (int i = 0; i < CHANNELS; i++)
        channel_wait(&channels[i], NULL);
    receiver->full = false; /* nobody knows of it any more */
    return receiver->value;
}

static void *send_all(void *number)
{
    for (int i = 1; i <= VALUES; i++)
        channel_send(&channels[(intptr_t)number], i);
    return NULL;
}

static void *receive_all(void *sum)
{
    struct receiver receiver = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                .arrived = PTHREAD_COND_INITIALIZER};
    for (int i = 0; i < CHANNELS * VALUES; i++)
        *(int *)sum += channel_select(&receiver);
    return NULL;
}

int main(void)
{
    int sum = 0;
    pthread_t senders[CHANNELS], receiver;
    for (intptr_t i = 0; i < CHANNELS; i++) {
        pthread_mutex_init(&channels[i].lock, NULL);
        pthread_cond_init(&channels[i].waited_for, NULL);
    }
    for (intptr_t i = 0; i < CHANNELS; i++)
        pthread_create(&senders[i], NULL, send_all, (void *)i);
    pthread_create(&receiver, NULL, receive_all, &sum);
    for (int i = 0; i < CHANNELS; i++)
        pthread_join(senders[i], NULL);
    pthread_join(receiver, NULL);
    for (int i = 0; i < CHANNELS; i++) {
        pthread_mutex_destroy(&channels[i].lock);
        pthread_cond_destroy(&channels[i].waited_for);
    }
    assert(sum == CHANNELS * VALUES * (VALUES + 1) / 2);
    return 0;
}
