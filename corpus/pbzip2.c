// A compressor: main fills the queue of blocks, waits for the thread that writes the compressed
// blocks, then frees the queue with its mutex. It does not wait for the consumers: one that has not
// left its loop comes back to the queue that is gone.
// group: cb
// threads: 4
// finds: misuse, use-after-free
// lines: 49 99
// pb: 0
// db: 1
// options: --exit wait
// variants: pbzip2
// variants: pbzip2_fixed -DFIXED
// finds pbzip2_fixed: nothing
// pb pbzip2_fixed: -
// db pbzip2_fixed: -
// twin pbzip2: pbzip2_fixed
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { BLOCKS = 2, CONSUMERS = 2 };

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty;
    int blocks[BLOCKS];
    int head, tail;
    bool ended;
};

static struct queue *queue;
static pthread_mutex_t output_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t output_grew = PTHREAD_COND_INITIALIZER;
static int output[BLOCKS], compressed;

static void queue_put(struct queue *q, int block)
{
    pthread_mutex_lock(&q->mutex);
    q->blocks[q->tail++] = block;
    q->ended = q->tail == BLOCKS;
    pthread_cond_broadcast(&q->not_empty);
    pthread_mutex_unlock(&q->mutex);
}

/* False: there will be no more. */
static bool queue_take(struct queue *q, int *block)
{
    pthread_mutex_lock(&q->mutex);
    while (q->head == q->tail && !q->ended)
        pthread_cond_wait(&q->not_empty, &q->mutex);
    bool taken = q->head < q->tail;
    if (taken)
        *block = q->blocks[q->head++];
    pthread_mutex_unlock(&q->mutex);
    return taken;
}

static void *compress(void *unused)
{
    int block;
    while (queue_take(queue, &block)) {
        pthread_mutex_lock(&output_mutex);
        output[block] = block + 1;
        compressed++;
        pthread_cond_signal(&output_grew);
        pthread_mutex_unlock(&output_mutex);
    }
    return unused;
}

static void *write_out(void *unused)
{
    pthread_mutex_lock(&output_mutex);
    while (compressed < BLOCKS)
        pthread_cond_wait(&output_grew, &output_mutex);
    pthread_mutex_unlock(&output_mutex);
    return unused;
}

int main(void)
{
    pthread_t consumers[CONSUMERS], writer;
    queue = calloc(1, sizeof *queue);
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->not_empty, NULL);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, compress, NULL);
    pthread_create(&writer, NULL, write_out, NULL);
    for (int i = 0; i < BLOCKS; i++)
        queue_put(queue, i);
    pthread_join(writer, NULL);
#ifdef FIXED
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumers[i], NULL);
#endif
    pthread_cond_destroy(&queue->not_empty);
    pthread_mutex_destroy(&queue->mutex);
    free(queue);
    return 0;
}
