// Two threads that spin, each on a flag that only the other would set.
// run: -s dfs
// expect: finding livelock
// expect: executions 1
// expect: findings[0].cycle == 2
// expect: output the last 2 steps repeat forever
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int first_done, second_done;

static void *first(void *unused)
{
    while (!atomic_load(&second_done))
        ;
    atomic_store(&first_done, 1);
    return unused;
}

static void *second(void *unused)
{
    while (!atomic_load(&first_done))
        ;
    atomic_store(&second_done, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
