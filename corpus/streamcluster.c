// In each phase of the clustering a master waits at the barrier twice a round, its worker once a
// turn of its loop, which it leaves when the master has said stop. If the worker is slow to look,
// the master has passed the first barrier and said it: the worker leaves, and the master waits at
// the second forever.
// group: parsec
// threads: 5
// finds: deadlock
// lines: 47 67
// pb: 1
// db: 1
// options: --exit wait
// variants: streamcluster
// variants: streamcluster_fixed -DFIXED
// finds streamcluster_fixed: nothing
// pb streamcluster_fixed: -
// db streamcluster_fixed: -
// twin streamcluster: streamcluster_fixed
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { PHASES = 2, POINTS = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opening = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static bool is_open, stop;
static int gains[2], cost;

static int gain_of(int from, int to)
{
    int gain = 0;
    for (int point = from; point < to; point++)
        gain += point % 3;
    return gain;
}

static void *lead(void *unused)
{
    pthread_mutex_lock(&mutex);
    is_open = true;
    pthread_cond_broadcast(&opening);
    pthread_mutex_unlock(&mutex);

    gains[0] = gain_of(0, POINTS / 2);
    pthread_barrier_wait(&barrier);
    stop = true;
    pthread_barrier_wait(&barrier);
    cost -= gains[0] + gains[1];
    return unused;
}

static void *follow(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!is_open)
        pthread_cond_wait(&opening, &mutex);
    pthread_mutex_unlock(&mutex);

#ifdef FIXED
    gains[1] = gain_of(POINTS / 2, POINTS);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
#else
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (stop)
            break;
        gains[1] = gain_of(POINTS / 2, POINTS);
    }
#endif
    return unused;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    for (int phase = 0; phase < PHASES; phase++) {
        pthread_t master, worker;
        is_open = stop = false;
        pthread_create(&master, NULL, lead, NULL);
        pthread_create(&worker, NULL, follow, NULL);
        pthread_join(master, NULL);
        pthread_join(worker, NULL);
    }
    pthread_barrier_destroy(&barrier);
    return 0;
}
