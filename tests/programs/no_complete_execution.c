// Every execution is longer than --steps: nothing is known of the program, which is no success.
// build: gcc -O1
// run: -s dfs --steps 50 -n 20
// expect: exit 2
// expect: verdict == incomplete
// expect: executions 0
// expect: no finding
// expect: output no execution was completed: all 20 were cut at the limit of 50 steps
// run: -s dpor --steps 50 -n 20 -q
// expect: exit 2
// expect: output no execution was completed
// run: -s random --steps 50 -n 20 -j 2
// expect: exit 2
// expect: verdict == incomplete
// run: --steps 50 -n 20
// expect: exit 2
// run: -s random --steps 2000 -n 2
// expect: exit 0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int values[8];

static void *count(void *unused)
{
    for (int i = 0; i < 100; i++)
        values[i % 8]++;
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&other, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
