// A hash table with a lock for each stripe; a thread that finds it too full takes all locks and doubles it.
// The bucket of a key is reckoned from the size before the lock of its stripe is taken: if the
// table grows in between, the key goes into a bucket where nobody looks for it.
// group: large
// threads: 4
// finds: assertion
// lines: 66 67
// pb: 1
// db: 1
// options: --exit wait
// variants: growing_table
// variants: growing_table_fixed -DFIXED
// finds growing_table_fixed: nothing
// pb growing_table_fixed: -
// db growing_table_fixed: -
// twin growing_table: growing_table_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { STRIPES = 2, THREADS = 3, KEYS = 6, SIZE_MOST = 16 };

struct entry {
    struct entry *next;
    unsigned key;
};

static pthread_mutex_t stripes[STRIPES];
static struct entry *buckets[SIZE_MOST];
static atomic_uint size = 4, count;

static void grow(unsigned old)
{
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_lock(&stripes[i]);
    if (size == old) {
        for (unsigned i = 0; i < old; i++) {
            struct entry *entry = buckets[i], *next;
            buckets[i] = NULL;
            for (; entry != NULL; entry = next) {
                next = entry->next;
                struct entry **bucket = &buckets[entry->key % (2 * old)];
                entry->next = *bucket;
                *bucket = entry;
            }
        }
        size = 2 * old;
    }
    for (int i = STRIPES; i-- > 0;)
        pthread_mutex_unlock(&stripes[i]);
}

static void insert(unsigned key)
{
    struct entry *entry = malloc(sizeof *entry);
    entry->key = key;
    pthread_mutex_t *lock = &stripes[key % STRIPES];
#ifdef FIXED
    pthread_mutex_lock(lock);
    unsigned bucket = key % size;
#else
    unsigned bucket = key % size;
    pthread_mutex_lock(lock);
#endif
    entry->next = buckets[bucket];
    buckets[bucket] = entry;
    pthread_mutex_unlock(lock);
    unsigned now = size;
    if (++count > 2 * now && 2 * now <= SIZE_MOST)
        grow(now);
}

static bool has(unsigned key)
{
    pthread_mutex_t *lock = &stripes[key % STRIPES];
    pthread_mutex_lock(lock);
    struct entry *entry = buckets[key % size];
    while (entry != NULL && entry->key != key)
        entry = entry->next;
    pthread_mutex_unlock(lock);
    return entry != NULL;
}

static void *fill(void *number)
{
    for (unsigned i = 0; i < KEYS; i++)
        insert((unsigned)(intptr_t)number + i * THREADS);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&stripes[i], NULL);
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, fill, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned key = 0; key < THREADS * KEYS; key++)
        assert(has(key));
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_destroy(&stripes[i]);
    return 0;
}
