// Two threads fill a table of costs, meet at a barrier, and sum it. The master clears the table as
// soon as it has its own sum, which may be before the worker has looked at it.
// group: parsec
// threads: 5
// finds: crash
// lines: 32 39
// pb: 0
// db: 1
// options: --exit wait
// variants: streamcluster3
// variants: streamcluster3_fixed -DFIXED
// finds streamcluster3_fixed: nothing
// pb streamcluster3_fixed: -
// db streamcluster3_fixed: -
// twin streamcluster3: streamcluster3_fixed
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { PHASES = 2, COSTS = 4 };

static pthread_barrier_t barrier;
static int table[COSTS], *costs;
static int sums[2];

static void *cluster(void *number)
{
    int here = (int)(intptr_t)number;
    for (int i = here; i < COSTS; i += 2)
        table[i] = i + 1;
    pthread_barrier_wait(&barrier);
    int *mine = costs;
    for (int i = 0; i < COSTS; i++)
        sums[here] += mine[i];
#ifdef FIXED
    pthread_barrier_wait(&barrier);
#endif
    if (here == 0)
        costs = NULL;
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    for (int phase = 0; phase < PHASES; phase++) {
        pthread_t threads[2];
        costs = table;
        for (intptr_t i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, cluster, (void *)i);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&barrier);
    return 0;
}
