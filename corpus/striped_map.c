// A hash map with a few locks, each for many buckets; a thread that resizes it takes them all. An insertion
// reckons out its bucket before it takes its lock; if the map grows in between, the entry goes to a
// bucket where nobody looks for it.
// group: idioms
// threads: 3
// finds: assertion
// lines: 50 51
// pb: 1
// db: 1
// options: --exit wait
// variants: striped_map
// variants: striped_map_fixed -DFIXED
// finds striped_map_fixed: nothing
// pb striped_map_fixed: -
// db striped_map_fixed: -
// twin: striped_map_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { STRIPES = 2, BEGIN = 2, NEW_KEY = 6, OLD_KEY = 3 };

struct entry {
    unsigned key;
    struct entry *next;
};

static pthread_mutex_t stripes[STRIPES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct entry **buckets;
static atomic_uint bucket_count;

static void bucket_add(struct entry **table, unsigned bucket, struct entry *entry)
{
    entry->next = table[bucket];
    table[bucket] = entry;
}

static void map_insert(unsigned key)
{
    struct entry *entry = malloc(sizeof *entry);
    assert(entry != NULL);
    entry->key = key;
#ifdef FIXED
    pthread_mutex_lock(&stripes[key % STRIPES]);
    unsigned bucket = key % bucket_count;
#else
    unsigned bucket = key % bucket_count;
    pthread_mutex_lock(&stripes[key % STRIPES]);
#endif
    bucket_add(buckets, bucket, entry);
    pthread_mutex_unlock(&stripes[key % STRIPES]);
}

static bool map_has(unsigned key)
{
    pthread_mutex_lock(&stripes[key % STRIPES]);
    struct entry *entry = buckets[key % bucket_count];
    while (entry != NULL && entry->key != key)
        entry = entry->next;
    pthread_mutex_unlock(&stripes[key % STRIPES]);
    return entry != NULL;
}

static void map_grow(void)
{
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_lock(&stripes[i]);
    unsigned count = bucket_count * 2;
    struct entry **table = calloc(count, sizeof *table);
    assert(table != NULL);
    for (unsigned i = 0; i < bucket_count; i++)
        for (struct entry *entry = buckets[i], *next; entry != NULL; entry = next) {
            next = entry->next;
            bucket_add(table, entry->key % count, entry);
        }
    free(buckets);
    buckets = table;
    bucket_count = count;
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_unlock(&stripes[i]);
}

static void *insert(void *unused)
{
    map_insert(NEW_KEY);
    assert(map_has(NEW_KEY));
    return unused;
}

static void *grow(void *unused)
{
    map_grow();
    assert(map_has(OLD_KEY));
    return unused;
}

int main(void)
{
    bucket_count = BEGIN;
    buckets = calloc(BEGIN, sizeof(struct entry *));
    assert(buckets != NULL);
    map_insert(OLD_KEY);
    pthread_t inserter, grower;
    pthread_create(&inserter, NULL, insert, NULL);
    pthread_create(&grower, NULL, grow, NULL);
    pthread_join(inserter, NULL);
    pthread_join(grower, NULL);
    return 0;
}
