// A producer brings three parts to a bench that has room for two, and waits for room. The consumer
// does not begin before all three are there.
// group: cs
// threads: 3
// finds: deadlock
// lines: 25 37
// pb: 0
// db: 0
// options: --exit wait
#include <pthread.h>
#include <stddef.h>

enum { ROOM = 2, PARTS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER;
static pthread_cond_t brought = PTHREAD_COND_INITIALIZER;
static int on_bench;

static void *bring(void *unused)
{
    for (int i = 0; i < PARTS; i++) {
        pthread_mutex_lock(&mutex);
        while (on_bench == ROOM)
            pthread_cond_wait(&has_room, &mutex);
        on_bench++;
        pthread_cond_signal(&brought);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *assemble(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (on_bench < PARTS)
        pthread_cond_wait(&brought, &mutex);
    on_bench = 0;
    pthread_cond_signal(&has_room);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, bring, NULL);
    pthread_create(&consumer, NULL, assemble, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
