// A catalogue behind a reader-writer lock: a thread that does not find an entry as a reader lets the lock go,
// comes back as the writer and adds it, without looking again. Two that miss the same entry add it
// twice.
// group: large
// threads: 5
// finds: assertion
// lines: 40 45
// pb: 1
// db: 1
// options: --exit wait
// variants: catalogue_fill
// variants: catalogue_fill_fixed -DFIXED
// finds catalogue_fill_fixed: nothing
// pb catalogue_fill_fixed: -
// db catalogue_fill_fixed: -
// twin catalogue_fill: catalogue_fill_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 4, LOOKUPS = 5, ROOM = 32 };

static struct catalogue {
    pthread_rwlock_t lock;
    int names[ROOM], count;
} catalogue = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static bool is_there(int name)
{
    for (int i = 0; i < catalogue.count; i++)
        if (catalogue.names[i] == name)
            return true;
    return false;
}

static void look_up(int name)
{
    pthread_rwlock_rdlock(&catalogue.lock);
    bool found = is_there(name);
    pthread_rwlock_unlock(&catalogue.lock);
    if (found)
        return;
    pthread_rwlock_wrlock(&catalogue.lock);
#ifdef FIXED
    if (!is_there(name))
#endif
        catalogue.names[catalogue.count++] = name;
    pthread_rwlock_unlock(&catalogue.lock);
}

static void *work(void *number)
{
    for (int i = 0; i < LOOKUPS; i++)
        look_up((int)(intptr_t)number * 3 + i);
    for (int i = 0; i < LOOKUPS; i++)
        look_up((int)(intptr_t)number * 3 + i);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < catalogue.count; i++)
        for (int k = 0; k < i; k++)
            assert(catalogue.names[i] != catalogue.names[k]);
    return 0;
}
