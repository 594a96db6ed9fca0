/* A producer and a consumer of heap blocks with a condition variable: 22 steps or a few more. */
#include <pthread.h>
#include <stdlib.h>

enum { ITEMS = 3 };

struct item {
    struct item *next;
    int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct item *items;
static int total;

static void *produce(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        struct item *item = malloc(sizeof *item);
        item->value = i;
        pthread_mutex_lock(&mutex);
        item->next = items;
        items = item;
        pthread_cond_signal(&arrived);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (items == NULL)
            pthread_cond_wait(&arrived, &mutex);
        struct item *item = items;
        items = item->next;
        pthread_mutex_unlock(&mutex);
        total += item->value;
        free(item);
    }
    return unused;
}

int main(void)
{
    pthread_t consumer, producer;
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(consumer, NULL);
    pthread_join(producer, NULL);
    return total == ITEMS * (ITEMS - 1) / 2 ? 0 : 1;
}
