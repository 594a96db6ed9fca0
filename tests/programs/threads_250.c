// 250 threads in one execution.
// run: -s preempt -b 0 -n 20
// expect: no finding
// expect: threads 251
// run: -s random -n 20
// expect: no finding
// expect: executions 20
// run: -s random -n 3 --isolate fork --carrier kernel
// expect: no finding
// expect: executions 3
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 250 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(sum == THREADS);
    return 0;
}
