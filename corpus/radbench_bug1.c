// A script engine keeps property names in a hash table. The last script to end destroys the table,
// bucket after bucket, and only then takes away the pointer to it: a thread that looks something up
// in between walks through buckets that are gone.
// group: radbench
// threads: 4
// finds: crash
// lines: 50 71 85
// pb: 1
// db: 1
// options: --exit wait
// variants: radbench_bug1
// variants: radbench_bug1_fixed -DFIXED
// finds radbench_bug1_fixed: nothing
// pb radbench_bug1_fixed: -
// db radbench_bug1_fixed: -
// twin radbench_bug1: radbench_bug1_fixed
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { BUCKETS = 4, NAMES = 6, SCRIPTS = 2 };

struct entry {
    int name;
    struct entry *next;
};

struct table {
    struct entry **buckets;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct entry entries[NAMES], *buckets[BUCKETS];
static struct table names = {buckets}, *table = &names;
static int scripts = SCRIPTS, found;

static void table_fill(struct table *t)
{
    for (int i = 0; i < NAMES; i++) {
        struct entry **bucket = &t->buckets[i % BUCKETS];
        entries[i] = (struct entry){.name = i, .next = *bucket};
        *bucket = &entries[i];
    }
}

static void table_destroy(struct table *t)
{
    for (int i = 0; i < BUCKETS; i++)
        t->buckets[i] = NULL;
    t->buckets = NULL;
}

static const struct entry *table_find(const struct table *t, int name)
{
    const struct entry *entry = t->buckets[name % BUCKETS];
    while (entry != NULL && entry->name != name)
        entry = entry->next;
    return entry;
}

static void *run_script(void *name)
{
    pthread_mutex_lock(&mutex);
    found += table_find(table, (int)(intptr_t)name) != NULL;
    int left = --scripts;
#ifndef FIXED
    pthread_mutex_unlock(&mutex);
#endif
    if (left == 0) {
        table_destroy(table);
        table = NULL;
    }
#ifdef FIXED
    pthread_mutex_unlock(&mutex);
#endif
    return NULL;
}

/* Lists properties for a debugger that may come at any time. */
static void *enumerate(void *unused)
{
#ifdef FIXED
    pthread_mutex_lock(&mutex);
#endif
    struct table *current = table;
    if (current != NULL)
        for (int i = 0; i < 2; i++)
            table_find(current, i);
#ifdef FIXED
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[SCRIPTS + 1];
    table_fill(&names);
    for (intptr_t i = 0; i < SCRIPTS; i++)
        pthread_create(&threads[i], NULL, run_script, (void *)i);
    pthread_create(&threads[SCRIPTS], NULL, enumerate, NULL);
    for (int i = 0; i < SCRIPTS + 1; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
