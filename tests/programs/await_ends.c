// A spin loop is an await: it sleeps until the flag is written, so the search ends.
// build: gcc -O0
// build: gcc -O2
// build: clang -O1
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: claim.kind == all
// expect: executions <= 20
// run: -s preempt -b 3
// expect: no finding
// expect: complete == true
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *wait_for_it(void *unused)
{
    while (!atomic_load(&ready))
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return 0;
}
