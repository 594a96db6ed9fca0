// Threads count words of chunks into tables of their own and merge them into the common one when
// they end. Each merges under the lock, but takes the old count of a word before it has the lock.
// group: large
// threads: 4
// finds: assertion
// lines: 38 39
// pb: 1
// db: 1
// options: --exit wait
// variants: word_count
// variants: word_count_fixed -DFIXED
// finds word_count_fixed: nothing
// pb word_count_fixed: -
// db word_count_fixed: -
// twin word_count: word_count_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { THREADS = 3, CHUNKS = 9, WORDS = 5 };

static const char text[] = "abcdeabcaababdedcbaecdeaabbccddeeabcde";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int next_chunk;
static atomic_int counts[WORDS];

static void merge(int word, int count)
{
    if (count == 0)
        return;
#ifdef FIXED
    pthread_mutex_lock(&lock);
    int before = counts[word];
#else
    int before = counts[word];
    pthread_mutex_lock(&lock);
#endif
    counts[word] = before + count;
    pthread_mutex_unlock(&lock);
}

static void *count_words(void *unused)
{
    int own[WORDS] = {0}, length = (int)strlen(text);
    for (int chunk; (chunk = atomic_fetch_add(&next_chunk, 1)) < CHUNKS;) {
        for (int i = length * chunk / CHUNKS; i < length * (chunk + 1) / CHUNKS; i++)
            own[text[i] - 'a']++;
        if (chunk % 2) {
            for (int word = 0; word < WORDS; word++)
                merge(word, own[word]);
            memset(own, 0, sizeof own);
        }
    }
    for (int word = 0; word < WORDS; word++)
        merge(word, own[word]);
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count_words, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int all = 0;
    for (int i = 0; i < WORDS; i++)
        all += counts[i];
    assert(all == (int)strlen(text));
    return 0;
}
