// A downloader is interrupted: the handler tells the workers to stop, copies how far each has come,
// waits for them, and then reads the total. What a worker still adds in between is in the total and
// not in the copies, so what is saved for resuming disagrees with itself.
// group: cb
// threads: 4
// finds: assertion
// lines: 53 71
// pb: 0
// db: 0
// options: --exit wait
// variants: aget
// variants: aget_fixed -DFIXED
// finds aget_fixed: nothing
// pb aget_fixed: -
// db aget_fixed: -
// twin aget: aget_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { WORKERS = 2, PIECES = 2, PIECE_BYTES = 512 };

struct progress {
    long offset[WORKERS];
};

static struct progress progress;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stopped = PTHREAD_COND_INITIALIZER;
static bool interrupted;
static int running = WORKERS;
static long bytes_written;

static struct {
    struct progress progress;
    long bytes_written;
} saved;

static bool is_interrupted(void)
{
    pthread_mutex_lock(&mutex);
    bool stop = interrupted;
    pthread_mutex_unlock(&mutex);
    return stop;
}

static void *download(void *offset)
{
    int piece = 0;
    do {
        *(long *)offset += PIECE_BYTES;
        pthread_mutex_lock(&mutex);
        bytes_written += PIECE_BYTES;
        pthread_mutex_unlock(&mutex);
    } while (++piece < PIECES && !is_interrupted());

    pthread_mutex_lock(&mutex);
    running--;
    pthread_cond_signal(&stopped);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *handle_interrupt(void *unused)
{
    pthread_mutex_lock(&mutex);
    interrupted = true;
#ifndef FIXED
    memcpy(&saved.progress, &progress, sizeof progress);
#endif
    while (running > 0)
        pthread_cond_wait(&stopped, &mutex);
#ifdef FIXED
    memcpy(&saved.progress, &progress, sizeof progress);
#endif
    saved.bytes_written = bytes_written;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t handler, workers[WORKERS];
    pthread_create(&handler, NULL, handle_interrupt, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, download, &progress.offset[i]);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    pthread_join(handler, NULL);

    long sum = 0;
    for (int i = 0; i < WORKERS; i++)
        sum += saved.progress.offset[i];
    assert(sum == saved.bytes_written);
    return 0;
}
