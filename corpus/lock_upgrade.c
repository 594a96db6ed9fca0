// A read-write lock made by hand whose readers can become the writer: they wait until all other
// readers have left. Two readers that want to become the writer wait for each other. Repaired, the
// second one is refused and starts again.
// group: idioms
// threads: 3
// finds: deadlock
// lines: 58
// pb: 1
// db: 1
// options: --exit wait
// variants: lock_upgrade
// variants: lock_upgrade_fixed -DFIXED
// finds lock_upgrade_fixed: nothing
// pb lock_upgrade_fixed: -
// db lock_upgrade_fixed: -
// twin: lock_upgrade_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { ABSENT = 0 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers;
static bool has_writer, is_upgrading;

static int entry = ABSENT, times_added; /* what it guards */

static void read_lock(void)
{
    pthread_mutex_lock(&lock);
    while (has_writer || is_upgrading)
        pthread_cond_wait(&changed, &lock);
    readers++;
    pthread_mutex_unlock(&lock);
}

static void read_unlock(void)
{
    pthread_mutex_lock(&lock);
    readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static bool upgrade(void)
{
    pthread_mutex_lock(&lock);
    bool refused = is_upgrading;
#ifndef FIXED
    refused = false;
#endif
    if (!refused) {
        is_upgrading = true;
        while (readers > 1)
            pthread_cond_wait(&changed, &lock);
        readers = 0;
        is_upgrading = false;
        has_writer = true;
    }
    pthread_mutex_unlock(&lock);
    return !refused;
}

static void write_unlock(void)
{
    pthread_mutex_lock(&lock);
    has_writer = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *add_if_absent(void *unused)
{
    for (;;) {
        read_lock();
        if (entry != ABSENT) {
            read_unlock();
            return unused;
        }
        if (upgrade())
            break;
        read_unlock();
    }
    entry = 42;
    times_added++;
    write_unlock();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add_if_absent, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(times_added == 1);
    return 0;
}
