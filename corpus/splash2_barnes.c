// A step of an n-body simulation on two threads, main and another. Main goes on when the last
// barrier is passed, without waiting for the other thread to end.
// group: splash2
// threads: 2
// finds: assertion
// lines: 64 81
// pb: 1
// db: 1
// options: --exit wait
// variants: splash2_barnes
// variants: splash2_barnes_fixed -DFIXED
// finds splash2_barnes_fixed: nothing
// pb splash2_barnes_fixed: -
// db splash2_barnes_fixed: -
// twin splash2_barnes: splash2_barnes_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS = 2, BODIES = 6, CELLS = 2 };

static struct body {
    int position, mass, force;
} bodies[BODIES];

static struct cell {
    pthread_mutex_t mutex;
    int mass;
} cells[CELLS];

static pthread_barrier_t barrier;
static bool ended[THREADS];

static void put_into_cell(const struct body *body)
{
    struct cell *cell = &cells[body->position * CELLS / BODIES];
    pthread_mutex_lock(&cell->mutex);
    cell->mass += body->mass;
    pthread_mutex_unlock(&cell->mutex);
}

static int force_on(const struct body *body)
{
    int force = 0;
    for (int i = 0; i < CELLS; i++)
        force += cells[i].mass * (i * BODIES / CELLS - body->position);
    return force;
}

static void *simulate(void *number)
{
    int here = (int)(intptr_t)number;
    for (int i = here; i < BODIES; i += THREADS)
        put_into_cell(&bodies[i]);
    pthread_barrier_wait(&barrier);
    for (int i = here; i < BODIES; i += THREADS)
        bodies[i].force = force_on(&bodies[i]);
    pthread_barrier_wait(&barrier);
    for (int i = here; i < BODIES; i += THREADS)
        bodies[i].position += bodies[i].force > 0;
    pthread_barrier_wait(&barrier);
    ended[here] = true;
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < CELLS; i++)
        pthread_mutex_init(&cells[i].mutex, NULL);
    for (int i = 0; i < BODIES; i++)
        bodies[i] = (struct body){.position = i, .mass = i % 2 + 1};
    pthread_create(&other, NULL, simulate, (void *)1);
    simulate((void *)0);
#ifdef FIXED
    pthread_join(other, NULL);
#endif
    assert(ended[1]);
    return 0;
}
