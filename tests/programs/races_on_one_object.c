// Races on one object are one finding with its pairs of places; each object has its own.
// build: gcc -O0
// run: -s dfs
// expect: finding race
// expect: findings[0].object == first
// expect: findings[0].pair_count == 4
// expect: findings[0].pairs[0][0].function == main
// expect: output , and 2 other pairs of places
// expect: findings[1].object == second
// expect: findings[1].pair_count == 1
// run: -s dfs -j 2
// expect: finding race
// expect: findings[0].pair_count == 4
// expect: findings[1].pair_count == 1
// run: -s dfs --isolate fork
// expect: finding race
// expect: findings[0].pair_count == 4
#include <pthread.h>
#include <stddef.h>

static int first, second;

static void *work(void *unused)
{
    first = 1;
    first = 2;
    second = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    first = 3;
    first = 4;
    second = 2;
    pthread_join(thread, NULL);
    return 0;
}
