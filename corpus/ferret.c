// A search pipeline: a loader, four stages of two threads, and a last stage that tests once for
// each item whether the input has ended and all is out. If the loader is interrupted after its last
// item, before it says so, the last stage misses the end and waits for one more item; nobody wakes
// it.
// group: parsec
// threads: 11
// finds: deadlock
// lines: 73 99
// pb: 1
// db: 1
// beyond: pb
// options: --exit wait
// variants: ferret
// variants: ferret_fixed -DFIXED
// finds ferret_fixed: nothing
// pb ferret_fixed: -
// db ferret_fixed: -
// twin ferret: ferret_fixed
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STAGES = 4, THREADS_A_STAGE = 2, ITEMS = 2, QUEUES = STAGES + 1 };

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty;
    int items[ITEMS];
    int head, tail;
    int producers; /* that have not ended */
};

static struct queue queues[QUEUES]; /* queues[i] leads to stage i, the last one out */
static bool input_ended;
static int loaded, written;

static void queue_put(struct queue *q, int item)
{
    pthread_mutex_lock(&q->mutex);
    q->items[q->tail++] = item;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->mutex);
}

/* False: it is empty and all producers have ended. */
static bool queue_take(struct queue *q, int *item)
{
    pthread_mutex_lock(&q->mutex);
    while (q->head == q->tail && q->producers > 0)
        pthread_cond_wait(&q->not_empty, &q->mutex);
    bool taken = q->head < q->tail;
    if (taken)
        *item = q->items[q->head++];
    pthread_mutex_unlock(&q->mutex);
    return taken;
}

static void queue_end(struct queue *q)
{
    pthread_mutex_lock(&q->mutex);
    if (--q->producers == 0)
        pthread_cond_broadcast(&q->not_empty);
    pthread_mutex_unlock(&q->mutex);
}

static void *load(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        loaded++;
        queue_put(&queues[0], i);
    }
    input_ended = true;
    queue_end(&queues[0]);
    return unused;
}

static void *stage(void *number)
{
    int here = (int)(intptr_t)number, item;
    while (queue_take(&queues[here], &item))
        queue_put(&queues[here + 1], item);
#ifdef FIXED
    queue_end(&queues[here + 1]);
#else
    if (here + 1 < STAGES)
        queue_end(&queues[here + 1]);
#endif
    return NULL;
}

static void *write_out(void *unused)
{
    int item;
#ifdef FIXED
    while (queue_take(&queues[STAGES], &item))
        written++;
#else
    while (!(input_ended && written == loaded)) {
        if (!queue_take(&queues[STAGES], &item))
            break;
        written++;
    }
#endif
    return unused;
}

int main(void)
{
    pthread_t loader, stages[STAGES][THREADS_A_STAGE], writer;
    for (int i = 0; i < QUEUES; i++) {
        pthread_mutex_init(&queues[i].mutex, NULL);
        pthread_cond_init(&queues[i].not_empty, NULL);
        queues[i].producers = i == 0 ? 1 : THREADS_A_STAGE;
    }
    pthread_create(&loader, NULL, load, NULL);
    for (intptr_t i = 0; i < STAGES; i++)
        for (int j = 0; j < THREADS_A_STAGE; j++)
            pthread_create(&stages[i][j], NULL, stage, (void *)i);
    pthread_create(&writer, NULL, write_out, NULL);
    pthread_join(loader, NULL);
    pthread_join(writer, NULL);
    return 0;
}
