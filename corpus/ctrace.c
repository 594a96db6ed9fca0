// A tracing library: one thread ends it, which frees the records and destroys their lock, while
// another that has just seen that tracing is on goes on to use both.
// group: misc
// threads: 3
// finds: misuse, use-after-free
// pb: 1
// db: 1
// options: --exit wait
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { MESSAGES = 2 };

struct record {
    struct record *next;
    int message;
};

static pthread_mutex_t mutex;
static struct record *records;
static bool tracing;

static void trace_begin(void)
{
    pthread_mutex_init(&mutex, NULL);
    records = NULL;
    tracing = true;
}

static void trace_print(int message)
{
    if (!tracing)
        return;
    struct record *record = malloc(sizeof *record);
    record->message = message;
    pthread_mutex_lock(&mutex);
    record->next = records;
    records = record;
    pthread_mutex_unlock(&mutex);
}

static void trace_end(void)
{
    if (!tracing)
        return;
    tracing = false;
    pthread_mutex_lock(&mutex);
    while (records != NULL) {
        struct record *record = records;
        records = record->next;
        free(record);
    }
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
}

static void *work(void *unused)
{
    for (int i = 0; i < MESSAGES; i++)
        trace_print(i);
    return unused;
}

static void *finish(void *unused)
{
    trace_end();
    return unused;
}

int main(void)
{
    pthread_t worker, finisher;
    trace_begin();
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&finisher, NULL, finish, NULL);
    pthread_join(worker, NULL);
    pthread_join(finisher, NULL);
    return 0;
}
