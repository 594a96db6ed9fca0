// Three threads meet twice at one barrier on the heap. The serial thread destroys it in the end,
// while others may not have left yet.
// run: -s preempt -b 2
// expect: no finding
// expect: complete == true
// run: -s random -n 500
// expect: no finding
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;
static int round_of[3];

static void *work(void *argument)
{
    int *mine = argument;
    *mine = 1;
    pthread_barrier_wait(barrier);
    for (int i = 0; i < 3; i++)
        assert(round_of[i] == 1);
    int result = pthread_barrier_wait(barrier);
    *mine = 2;
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
        assert(pthread_barrier_destroy(barrier) == 0);
        free(barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &round_of[i]);
    work(&round_of[2]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
