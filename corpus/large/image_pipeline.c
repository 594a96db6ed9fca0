// A pipeline of two stages with two threads each. The last thread of a stage to end closes the
// queue to the next; which is the last is found out with a counter that is read and written back
// in two steps. If two threads end at the same time nobody is the last and the next stage waits.
// group: large
// threads: 5
// finds: deadlock
// pb: 1
// db: 1
// lines: 70 71
// options: --exit wait
// variants: image_pipeline
// variants: image_pipeline_fixed -DFIXED
// finds image_pipeline_fixed: nothing
// pb image_pipeline_fixed: -
// db image_pipeline_fixed: -
// twin image_pipeline: image_pipeline_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STAGES = 2, THREADS_A_STAGE = 2, IMAGES = 5, QUEUES = STAGES + 1 };

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int images[IMAGES];
    int head, tail;
    bool closed;
};

static struct queue queues[QUEUES]; /* queues[i] leads to stage i, the last one out */
static atomic_int working[STAGES];

static void queue_put(struct queue *queue, int image)
{
    pthread_mutex_lock(&queue->lock);
    queue->images[queue->tail++] = image;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static void queue_close(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static bool queue_take(struct queue *queue, int *image)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->head == queue->tail && !queue->closed)
        pthread_cond_wait(&queue->changed, &queue->lock);
    bool taken = queue->head < queue->tail;
    if (taken)
        *image = queue->images[queue->head++];
    pthread_mutex_unlock(&queue->lock);
    return taken;
}

static bool stage_leave(int here)
{
#ifdef FIXED
    return atomic_fetch_sub(&working[here], 1) == 1;
#else
    int left = working[here] - 1;
    working[here] = left;
    return left == 0;
#endif
}

static void *stage(void *number)
{
    int here = (int)(intptr_t)number, image;
    while (queue_take(&queues[here], &image))
        queue_put(&queues[here + 1], image + 100);
    if (stage_leave(here))
        queue_close(&queues[here + 1]);
    return NULL;
}

int main(void)
{
    pthread_t threads[STAGES][THREADS_A_STAGE];
    for (int i = 0; i < QUEUES; i++) {
        pthread_mutex_init(&queues[i].lock, NULL);
        pthread_cond_init(&queues[i].changed, NULL);
    }
    for (intptr_t i = 0; i < STAGES; i++) {
        working[i] = THREADS_A_STAGE;
        for (int k = 0; k < THREADS_A_STAGE; k++)
            pthread_create(&threads[i][k], NULL, stage, (void *)i);
    }
    for (int i = 0; i < IMAGES; i++)
        queue_put(&queues[0], i);
    queue_close(&queues[0]);
    int image, all = 0;
    while (queue_take(&queues[STAGES], &image))
        all++;
    assert(all == IMAGES);
    for (int i = 0; i < STAGES; i++)
        for (int k = 0; k < THREADS_A_STAGE; k++)
            pthread_join(threads[i][k], NULL);
    for (int i = 0; i < QUEUES; i++) {
        pthread_mutex_destroy(&queues[i].lock);
        pthread_cond_destroy(&queues[i].changed);
    }
    return 0;
}
