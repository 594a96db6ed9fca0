// Three threads with two atomic additions each: an atomic access is always a step.
// run: -s dfs
// expect: no finding
// expect: executions 1121
// expect: complete == true
#include <pthread.h>
#include <stdatomic.h>

atomic_int sum;

static void *add(void *unused)
{
    atomic_fetch_add(&sum, 1);
    atomic_fetch_add(&sum, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
