// A broker keeps subscribers in a list; to publish it copies the list under the lock and calls each
// of the copy without it. Who unsubscribes frees its subscriber at once: a publisher that has
// copied the list before still calls it.
// group: large
// threads: 4
// finds: use-after-free, misuse
// lines: 35 80
// pb: 2
// db: 3
// beyond: pb db
// options: --exit wait
// variants: broker
// variants: broker_fixed -DFIXED
// finds broker_fixed: nothing
// pb broker_fixed: -
// db broker_fixed: -
// twin broker: broker_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { SUBSCRIBERS = 4, MESSAGES = 6, CLIENTS = 2, VISITS = 6 };

struct subscriber {
    pthread_mutex_t lock;
    int received;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* taken before that of a subscriber */
static struct subscriber *subscribers[SUBSCRIBERS];

static void deliver(struct subscriber *subscriber)
{
    pthread_mutex_lock(&subscriber->lock);
    subscriber->received++;
    pthread_mutex_unlock(&subscriber->lock);
}

static void publish(void)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    for (int i = 0; i < SUBSCRIBERS; i++)
        if (subscribers[i] != NULL)
            deliver(subscribers[i]);
    pthread_mutex_unlock(&lock);
#else
    struct subscriber *copy[SUBSCRIBERS];
    for (int i = 0; i < SUBSCRIBERS; i++)
        copy[i] = subscribers[i];
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < SUBSCRIBERS; i++)
        if (copy[i] != NULL)
            deliver(copy[i]);
#endif
}

static struct subscriber *subscribe(void)
{
    struct subscriber *new = calloc(1, sizeof *new);
    pthread_mutex_init(&new->lock, NULL);
    pthread_mutex_lock(&lock);
    int place = 0;
    while (subscribers[place] != NULL)
        place++;
    subscribers[place] = new;
    pthread_mutex_unlock(&lock);
    return new;
}

static void unsubscribe(struct subscriber *subscriber)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SUBSCRIBERS; i++)
        if (subscribers[i] == subscriber)
            subscribers[i] = NULL;
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&subscriber->lock);
    free(subscriber);
}

static void *visit(void *unused)
{
    for (int i = 0; i < VISITS; i++)
        unsubscribe(subscribe());
    return unused;
}

static void *publish_all(void *unused)
{
    for (int i = 0; i < MESSAGES; i++)
        publish();
    return unused;
}

int main(void)
{
    struct subscriber *permanent[2] = {subscribe(), subscribe()};
    pthread_t clients[CLIENTS], publisher;
    pthread_create(&publisher, NULL, publish_all, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, visit, NULL);
    pthread_join(publisher, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    for (int i = 0; i < 2; i++) {
        assert(permanent[i]->received == MESSAGES);
        unsubscribe(permanent[i]);
    }
    return 0;
}
