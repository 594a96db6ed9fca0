// Traces are the same in every isolation mode, on both carriers and from both compilers: atomics and racy
// accesses, which become steps.
// modes: all
// run: -s preempt -b 1 -k
// expect: exit 1
// expect: restarts >= 1
#include <pthread.h>
#include <stdatomic.h>

atomic_int sum;
int racy;

static void *work(void *unused)
{
    atomic_fetch_add(&sum, 1);
    racy++;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
