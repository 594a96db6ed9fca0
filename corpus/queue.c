// Writer and reader of a queue are meant to alternate, told by two flags. The reader compares what
// it gets with a copy of what was put in, at the number of its attempt: if an attempt came too
// early, it looks at the wrong place of the copy.
// group: cs
// threads: 3
// finds: assertion
// lines: 90 97
// pb: 1
// db: 2
// options: --exit wait
// variants: queue
// variants: queue_fixed -DFIXED
// finds queue_fixed: nothing
// pb queue_fixed: -
// db queue_fixed: -
// twin queue: queue_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { ROOM = 16, ATTEMPTS = 12 };

struct queue {
    int values[ROOM];
    int head, tail, count;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct queue queue;
static int copies[ROOM];
static bool may_enqueue = true, may_dequeue;
#ifdef FIXED
static int written = 1, read; /* the first is written without being asked */
#endif

static bool queue_put(struct queue *q, int value)
{
    if (q->count == ROOM)
        return false;
    q->values[q->tail] = value;
    q->tail = (q->tail + 1) % ROOM;
    q->count++;
    return true;
}

static bool queue_take(struct queue *q, int *value)
{
    if (q->count == 0)
        return false;
    *value = q->values[q->head];
    q->head = (q->head + 1) % ROOM;
    q->count--;
    return true;
}

static int value_of(int number)
{
    return 100 + 7 * number;
}

static void *write_values(void *unused)
{
    pthread_mutex_lock(&mutex);
    copies[0] = value_of(0);
    assert(queue_put(&queue, copies[0]));
    pthread_mutex_unlock(&mutex);
    for (int i = 1; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&mutex);
        if (may_enqueue) {
#ifdef FIXED
            copies[written] = value_of(written);
            assert(queue_put(&queue, copies[written]));
            written++;
#else
            copies[i] = value_of(i);
            assert(queue_put(&queue, copies[i]));
#endif
            may_enqueue = false;
            may_dequeue = true;
        }
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *read_values(void *unused)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        pthread_mutex_lock(&mutex);
        if (may_dequeue) {
            int value;
            assert(queue_take(&queue, &value));
#ifdef FIXED
            assert(value == copies[read++]);
#else
            assert(value == copies[i]);
#endif
            may_dequeue = false;
            may_enqueue = true;
        }
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_values, NULL);
    pthread_create(&reader, NULL, read_values, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
