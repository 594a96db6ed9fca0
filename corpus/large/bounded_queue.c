// A bounded queue with one condition variable for both ends, where one waiter is woken at a time: a
// producer that makes room for nobody may wake another producer, and the consumer sleeps on.
// group: large
// threads: 6
// finds: deadlock
// lines: 33
// pb: 0
// db: 1
// beyond: pb
// options: --exit wait
// variants: bounded_queue
// variants: bounded_queue_fixed -DFIXED
// finds bounded_queue_fixed: nothing
// pb bounded_queue_fixed: -
// db bounded_queue_fixed: -
// twin bounded_queue: bounded_queue_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { ROOM = 2, PRODUCERS = 3, CONSUMERS = 2, EACH = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[ROOM], head, count;

static void queue_changed(void)
{
#ifdef FIXED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
}

static void queue_put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&changed, &lock);
    items[(head + count++) % ROOM] = item;
    queue_changed();
    pthread_mutex_unlock(&lock);
}

static int queue_take(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    int item = items[head];
    head = (head + 1) % ROOM;
    count--;
    queue_changed();
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *number)
{
    for (int i = 0; i < EACH; i++)
        queue_put((int)(intptr_t)number * EACH + i);
    return NULL;
}

static int sums[CONSUMERS];

static void *consume(void *number)
{
    for (int i = 0; i < PRODUCERS * EACH / CONSUMERS; i++)
        sums[(intptr_t)number] += queue_take();
    return NULL;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumers[CONSUMERS];
    for (intptr_t i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], NULL, produce, (void *)i);
    for (intptr_t i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consume, (void *)i);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    int sum = 0;
    for (int i = 0; i < CONSUMERS; i++) {
        pthread_join(consumers[i], NULL);
        sum += sums[i];
    }
    assert(sum == PRODUCERS * EACH * (PRODUCERS * EACH - 1) / 2);
    return 0;
}
