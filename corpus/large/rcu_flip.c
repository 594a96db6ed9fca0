// Readers announce themselves in one of two counters; the thread that replaces the configuration turns readers
// to the other counter, waits until the old one is zero, and frees the old configuration. One turn
// is too few: a reader that has chosen its counter, but not yet counted itself, is counted in the
// old one when the next replacement waits for the other.
// group: large
// threads: 4
// finds: use-after-free
// lines: 63
// pb: 3
// db: 3
// beyond: pb db
// options: --exit wait
// variants: rcu_flip
// variants: rcu_flip_fixed -DFIXED
// finds rcu_flip_fixed: nothing
// pb rcu_flip_fixed: -
// db rcu_flip_fixed: -
// twin rcu_flip: rcu_flip_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

enum { READERS = 2, READS = 10, REPLACEMENTS = 4 };

struct settings {
    int width, height;
};

static struct settings *_Atomic current;
static atomic_int turn;
static atomic_int readers[2];

static int read_begin(void)
{
    int side = turn & 1;
    readers[side]++;
    return side;
}

static void read_end(int side)
{
    readers[side]--;
}

static void turn_and_wait(void)
{
    int old = turn++ & 1;
    while (readers[old] > 0)
        ;
}

static void replace(int size)
{
    struct settings *new = malloc(sizeof *new), *old = current;
    *new = (struct settings){size, size};
    current = new;
#ifdef FIXED
    turn_and_wait();
#endif
    turn_and_wait();
    free(old);
}

static void *read_often(void *unused)
{
    for (int i = 0; i < READS; i++) {
        int side = read_begin();
        struct settings *settings = current;
        atomic_thread_fence(memory_order_seq_cst);
        assert(settings->width == settings->height);
        read_end(side);
    }
    return unused;
}

static void *replace_often(void *unused)
{
    for (int i = 1; i <= REPLACEMENTS; i++)
        replace(i);
    return unused;
}

int main(void)
{
    current = calloc(1, sizeof *current);
    pthread_t threads[READERS], replacer;
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, read_often, NULL);
    pthread_create(&replacer, NULL, replace_often, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    pthread_join(replacer, NULL);
    free(current);
    return 0;
}
