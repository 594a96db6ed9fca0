// Loops in which threads see what others write: all orders of their steps are tried before one is called a
// livelock. Where some order ends it, there is none.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -- toggle
// expect: finding livelock
// run: -s dfs -- update
// expect: finding livelock
// run: -s dfs -- hand
// expect: finding livelock
// run: -s dfs --isolate fork --carrier kernel -- hand
// expect: finding livelock
// run: -s dfs --isolate exec --carrier kernel -- toggle
// expect: finding livelock
// run: --no-shrink -s random -n 3 --isolate reset --tracking protect -- hand
// expect: finding livelock
// run: --no-shrink -s preempt -- hand
// expect: finding livelock
// run: --no-shrink -s delay -- toggle
// expect: finding livelock
// run: --no-shrink -s random -n 3 -- hand
// expect: finding livelock
// run: --no-shrink -s pct -n 3 -- hand
// expect: finding livelock
// run: --no-shrink -s pos -n 3 -- toggle
// expect: finding livelock
// run: --no-shrink -s surw -n 3 -- hand
// expect: finding livelock
// run: --no-shrink -s rf -n 3 -- update
// expect: finding livelock
// run: --no-shrink -s rare -n 3 -- toggle
// expect: finding livelock
// run: --no-shrink -s dpor -- hand
// expect: finding livelock
// run: --no-shrink -s auto -t 30m -- hand
// expect: finding livelock
// run: --no-shrink -s random -n 20 -- polite
// expect: no finding
// run: --no-shrink -s preempt -b 0 -- meet
// expect: no finding
// run: --no-shrink -s pct -n 20 -- meet
// expect: no finding
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int word, wants[2];
static int side, stop;
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static int toggle(void)
{
    pthread_mutex_lock(&mutex);
    side = !side;
    int seen = stop;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static int hand_over(int me)
{
    pthread_mutex_lock(&mutex);
    while (side != me)
        pthread_cond_wait(&cond, &mutex);
    side = !me;
    pthread_cond_signal(&cond);
    int seen = stop;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static int update(void)
{
    int before = atomic_fetch_add(&word, 1);
    atomic_fetch_sub(&word, 1);
    return before > 1;
}

/* Each lets the other one go first. */
static int be_polite(int me)
{
    atomic_store(&wants[me], 1);
    if (!atomic_load(&wants[!me]))
        return 1;
    atomic_store(&wants[me], 0);
    return 0;
}

/* The loop ends if both are inside at the same time. */
static int meet(void)
{
    int others = atomic_fetch_add(&word, 1);
    if (others == 1)
        return 1;
    int all = atomic_load(&word);
    if (all == 2)
        return 1;
    atomic_fetch_sub(&word, 1);
    return 0;
}

static void *go_round(void *second)
{
    int me = second != NULL;
    while (!(is("toggle")   ? toggle()
             : is("hand")   ? hand_over(me)
             : is("update") ? update()
             : is("meet")   ? meet()
                            : be_polite(me)))
        ;
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    way = argc > 1 ? argv[1] : "toggle";
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, go_round, i == 0 ? NULL : threads);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
