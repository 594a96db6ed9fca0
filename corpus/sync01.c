// The store is full from the start. The producer waits for room before it puts something in, the
// consumer waits to be told that something was put in before it takes anything out: the room never
// comes.
// group: cs
// threads: 3
// finds: deadlock
// lines: 27 39
// pb: 0
// db: 0
// options: --exit wait
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { ROOM = 1 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER;
static pthread_cond_t put_in = PTHREAD_COND_INITIALIZER;
static int stock = ROOM;
static bool told;

static void *produce(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (stock == ROOM)
        pthread_cond_wait(&has_room, &mutex);
    stock++;
    told = true;
    pthread_cond_signal(&put_in);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *consume(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!told)
        pthread_cond_wait(&put_in, &mutex);
    stock--;
    pthread_cond_signal(&has_room);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
