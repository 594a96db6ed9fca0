// A read-write lock that lets writers go first: a reader that holds it and wants to read once more,
// in a function that it calls, waits for the writer, which waits for the reader.
// group: radbench
// threads: 3
// finds: deadlock
// lines: 36 48
// pb: 1
// db: 1
// options: --exit wait
// variants: radbench_bug6
// variants: radbench_bug6_fixed -DFIXED
// finds radbench_bug6_fixed: nothing
// pb radbench_bug6_fixed: -
// db radbench_bug6_fixed: -
// twin radbench_bug6: radbench_bug6_fixed
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct rwlock {
    pthread_mutex_t mutex;
    pthread_cond_t readers_may, writers_may;
    int readers, waiting_writers;
    bool writing;
};

static struct rwlock lock = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .readers_may = PTHREAD_COND_INITIALIZER,
    .writers_may = PTHREAD_COND_INITIALIZER,
};
static int values[2] = {1, 2}, seen;

static void read_lock(struct rwlock *l)
{
    pthread_mutex_lock(&l->mutex);
    while (l->writing || l->waiting_writers > 0)
        pthread_cond_wait(&l->readers_may, &l->mutex);
    l->readers++;
    pthread_mutex_unlock(&l->mutex);
}

static void write_lock(struct rwlock *l)
{
    pthread_mutex_lock(&l->mutex);
    l->waiting_writers++;
    while (l->writing || l->readers > 0)
        pthread_cond_wait(&l->writers_may, &l->mutex);
    l->waiting_writers--;
    l->writing = true;
    pthread_mutex_unlock(&l->mutex);
}

static void unlock(struct rwlock *l)
{
    pthread_mutex_lock(&l->mutex);
    if (l->writing)
        l->writing = false;
    else
        l->readers--;
    if (l->readers == 0 && l->waiting_writers > 0)
        pthread_cond_signal(&l->writers_may);
    else if (l->waiting_writers == 0)
        pthread_cond_broadcast(&l->readers_may);
    pthread_mutex_unlock(&l->mutex);
}

static int second_value(void)
{
#ifdef FIXED
    return values[1]; /* the caller holds the lock */
#else
    read_lock(&lock);
    int value = values[1];
    unlock(&lock);
    return value;
#endif
}

static void *read_values(void *unused)
{
    read_lock(&lock);
    seen = values[0] + second_value();
    unlock(&lock);
    return unused;
}

static void *write_values(void *unused)
{
    write_lock(&lock);
    values[0] = values[1] = 3;
    unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t reader, writer;
    pthread_create(&reader, NULL, read_values, NULL);
    pthread_create(&writer, NULL, write_values, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    return 0;
}
