// A stencil computed by three threads in phases, with a barrier by hand between them. The last to
// arrive opens the barrier first and sets the count back afterwards: a quick thread arrives at the
// next barrier in between, and its arrival is forgotten.
// group: large
// threads: 4
// finds: livelock
// pb: 1
// db: 1
// lines: 44
// options: --exit wait
// variants: stencil_barrier
// variants: stencil_barrier_fixed -DFIXED
// finds stencil_barrier_fixed: nothing
// pb stencil_barrier_fixed: -
// db stencil_barrier_fixed: -
// twin stencil_barrier: stencil_barrier_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 3, PHASES = 8, EACH = 2, CELLS = THREADS * EACH };

static struct barrier {
    atomic_int arrived, phase;
} barrier;

static int cells[2][CELLS];

static void barrier_wait(void)
{
    int phase = barrier.phase;
    if (atomic_fetch_add(&barrier.arrived, 1) + 1 < THREADS) {
        while (barrier.phase == phase)
            ;
        return;
    }
#ifdef FIXED
    barrier.arrived = 0;
    barrier.phase = phase + 1;
#else
    barrier.phase = phase + 1;
    barrier.arrived = 0;
#endif
}

static void *compute(void *number)
{
    int first = (int)(intptr_t)number * EACH;
    for (int phase = 0; phase < PHASES; phase++) {
        const int *from = cells[phase % 2];
        int *to = cells[(phase + 1) % 2];
        for (int i = first; i < first + EACH; i++)
            to[i] = from[(i + CELLS - 1) % CELLS] + from[(i + 1) % CELLS];
        barrier_wait();
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < CELLS; i++)
        cells[0][i] = 1;
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, compute, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < CELLS; i++)
        assert(cells[PHASES % 2][i] == 1 << PHASES);
    return 0;
}
