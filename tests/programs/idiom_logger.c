// A logger as people write it: threads put lines into a ring, a writer flushes when half of it is full
// or every 100 milliseconds, and the end flushes the rest. With "lossy" the writer forgets to look once
// more when it is told to end.
// run: -s preempt -b 1
// expect: no finding
// expect: complete == true
// run: -s random -n 300
// expect: no finding
// run: -s pct -n 100
// expect: no finding
// run: -s preempt -b 2 -- lossy
// expect: finding assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 4, LINE_SIZE = 80, FLUSH_MILLISECONDS = 100 };

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t wake, room;
    char lines[LINES][LINE_SIZE];
    unsigned first, count;
    bool ending;
    FILE *out;
    pthread_t writer;
    atomic_int written;
} logger;
static bool lossy;

static struct timespec in(long milliseconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void flush(void)
{
    char lines[LINES][LINE_SIZE];
    unsigned count = logger.count;
    for (unsigned i = 0; i < count; i++)
        memcpy(lines[i], logger.lines[(logger.first + i) % LINES], LINE_SIZE);
    logger.first = (logger.first + count) % LINES;
    logger.count = 0;
    pthread_cond_broadcast(&logger.room);
    pthread_mutex_unlock(&logger.mutex);
    for (unsigned i = 0; i < count; i++)
        fputs(lines[i], logger.out);
    fflush(logger.out);
    atomic_fetch_add(&logger.written, (int)count);
    pthread_mutex_lock(&logger.mutex);
}

static void *write_lines(void *unused)
{
    pthread_mutex_lock(&logger.mutex);
    while (!logger.ending) {
        struct timespec end = in(FLUSH_MILLISECONDS);
        int error = 0;
        while (logger.count < LINES / 2 && !logger.ending && error != ETIMEDOUT)
            error = pthread_cond_timedwait(&logger.wake, &logger.mutex, &end);
        flush();
    }
    if (!lossy && logger.count > 0)
        flush();
    pthread_mutex_unlock(&logger.mutex);
    return unused;
}

static void log_line(const char *format, ...)
{
    char line[LINE_SIZE];
    va_list list;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct tm parts;
    localtime_r(&now.tv_sec, &parts);
    size_t size = strftime(line, sizeof line, "%H:%M:%S ", &parts);
    va_start(list, format);
    vsnprintf(line + size, sizeof line - size, format, list);
    va_end(list);
    pthread_mutex_lock(&logger.mutex);
    while (logger.count == LINES)
        pthread_cond_wait(&logger.room, &logger.mutex);
    memcpy(logger.lines[(logger.first + logger.count++) % LINES], line, LINE_SIZE);
    if (logger.count >= LINES / 2)
        pthread_cond_signal(&logger.wake);
    pthread_mutex_unlock(&logger.mutex);
}

static void logger_begin(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&logger.mutex, NULL);
    pthread_cond_init(&logger.wake, &attributes);
    pthread_cond_init(&logger.room, NULL);
    logger.out = tmpfile();
    pthread_create(&logger.writer, NULL, write_lines, NULL);
    pthread_setname_np(logger.writer, "logger");
}

static void logger_end(void)
{
    pthread_mutex_lock(&logger.mutex);
    logger.ending = true;
    pthread_cond_signal(&logger.wake);
    pthread_mutex_unlock(&logger.mutex);
    pthread_join(logger.writer, NULL);
    fclose(logger.out);
    pthread_cond_destroy(&logger.wake);
    pthread_cond_destroy(&logger.room);
    pthread_mutex_destroy(&logger.mutex);
}

static void *work(void *name)
{
    log_line("%s begins\n", (char *)name);
    usleep(50000);
    log_line("%s ends\n", (char *)name);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    lossy = argc > 1;
    logger_begin();
    pthread_create(&thread, NULL, work, "one");
    log_line("main waits, pid %d\n", getpid());
    pthread_join(thread, NULL);
    logger_end();
    assert(atomic_load(&logger.written) == 3);
    return 0;
}
