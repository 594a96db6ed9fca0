// Settings under a sequence lock: a writer makes the sequence odd, changes them and makes it even
// again; a reader tries again if the sequence has changed. It does not look whether the sequence
// was odd: if the writer is held up in the middle, a reader sees half of a change and believes it.
// group: large
// threads: 4
// finds: assertion
// lines: 46
// pb: 1
// db: 1
// options: --exit wait
// variants: settings_seqlock
// variants: settings_seqlock_fixed -DFIXED
// finds settings_seqlock_fixed: nothing
// pb settings_seqlock_fixed: -
// db settings_seqlock_fixed: -
// twin settings_seqlock: settings_seqlock_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { READERS = 2, READS = 5, CHANGES = 8, FIELDS = 3 };

static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint sequence;
static atomic_int fields[FIELDS]; /* always equal */

static void settings_set(int value)
{
    pthread_mutex_lock(&writers);
    sequence++;
    for (int i = 0; i < FIELDS; i++)
        fields[i] = value;
    sequence++;
    pthread_mutex_unlock(&writers);
}

static void settings_get(int copy[FIELDS])
{
    unsigned before;
    do {
#ifdef FIXED
        while ((before = sequence) & 1)
            ;
#else
        before = sequence;
#endif
        for (int i = 0; i < FIELDS; i++)
            copy[i] = fields[i];
    } while (sequence != before);
}

static void *change(void *unused)
{
    for (int i = 1; i <= CHANGES; i++)
        settings_set(i);
    return unused;
}

static void *look(void *unused)
{
    int copy[FIELDS];
    for (int i = 0; i < READS; i++) {
        settings_get(copy);
        for (int k = 1; k < FIELDS; k++)
            assert(copy[k] == copy[0]);
    }
    return unused;
}

int main(void)
{
    pthread_t changer, readers[READERS];
    pthread_create(&changer, NULL, change, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, look, NULL);
    pthread_join(changer, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
