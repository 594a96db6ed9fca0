// In each round of a phase the master opens a centre and three threads add their share of the
// points to it. A barrier is missing after the master's step: a worker that comes first sees the
// centre of the round before and skips its share, and the cost that comes out is wrong.
// group: parsec
// threads: 7
// finds: assertion
// lines: 37 41
// pb: 0
// db: 1
// options: --exit wait
// variants: streamcluster2
// variants: streamcluster2_fixed -DFIXED
// finds streamcluster2_fixed: nothing
// pb streamcluster2_fixed: -
// db streamcluster2_fixed: -
// twin streamcluster2: streamcluster2_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { PHASES = 2, ROUNDS = 2, THREADS = 3, SHARE = 5 };

static pthread_barrier_t barrier;
static int centre, shares[THREADS], cost;

static void *cluster(void *number)
{
    int here = (int)(intptr_t)number;
    for (int round = 1; round <= ROUNDS; round++) {
        shares[here] = 0;
        pthread_barrier_wait(&barrier);
        /* Between these two all threads shuffle the points, which is left out here. */
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        if (here == 0)
            centre = round;
#ifdef FIXED
        pthread_barrier_wait(&barrier);
#endif
        if (centre == round)
            shares[here] += SHARE;
        pthread_barrier_wait(&barrier);
        if (here == 0)
            for (int i = 0; i < THREADS; i++)
                cost += shares[i];
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int phase = 0; phase < PHASES; phase++) {
        pthread_t threads[THREADS];
        centre = 0;
        for (intptr_t i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, cluster, (void *)i);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&barrier);
    assert(cost == PHASES * ROUNDS * THREADS * SHARE);
    return 0;
}
