// A tracing library: one thread ends it, which frees the records and destroys their lock, while
// another that has just seen that tracing is on goes on to use both.
// group: misc
// threads: 3
// finds: misuse, use-after-free
// lines: 42 47
// pb: 1
// db: 1
// options: --exit wait
// variants: ctrace
// variants: ctrace_fixed -DFIXED
// finds ctrace_fixed: nothing
// pb ctrace_fixed: -
// db ctrace_fixed: -
// twin ctrace: ctrace_fixed
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
#ifndef FIXED
    if (!tracing)
        return;
#endif
    struct record *record = malloc(sizeof *record);
    record->message = message;
    pthread_mutex_lock(&mutex);
#ifdef FIXED
    if (tracing) {
        record->next = records;
        records = record;
    } else {
        free(record);
    }
#else
    record->next = records;
    records = record;
#endif
    pthread_mutex_unlock(&mutex);
}

static void trace_end(void)
{
#ifdef FIXED
    pthread_mutex_lock(&mutex);
    tracing = false;
#else
    if (!tracing)
        return;
    tracing = false;
    pthread_mutex_lock(&mutex);
#endif
    while (records != NULL) {
        struct record *record = records;
        records = record->next;
        free(record);
    }
    pthread_mutex_unlock(&mutex);
#ifndef FIXED
    pthread_mutex_destroy(&mutex);
#endif
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
