// A barrier for two: arriving in either order and leaving in either order, 9 executions with main's
// creates and joins. Exactly one thread is told that it is the one, and each sees what the other did
// before. Who arrives last is all that tells classes apart.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 9
// expect: classes 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int written[2], serial[2];

static void *work(void *argument)
{
    int me = (int)((int *)argument - written);
    written[me] = 1;
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    serial[me] = result == PTHREAD_BARRIER_SERIAL_THREAD;
    assert(written[1 - me] == 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &written[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(serial[0] + serial[1] == 1);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
