// A thread that waits for a value and yields meanwhile: to look again at once would show the same value, so no interleaving that
// leads elsewhere is left out, and the claim says nothing of yields.
// build: gcc -O0
// build: clang -O0
// expect: no finding
// expect: silence after each yield
// run: -k -s dfs
// expect: claim.kind == all
// run: -k -s preempt
// expect: claim.kind == all
// run: -k -s dpor
// expect: claim.kind == all-classes
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int ready, value;
static void *waits(void *argument)
{
    while (!ready)
        sched_yield();
    value++;
    return argument;
}
static void *sets(void *argument)
{
    value++;
    ready = 1;
    value++;
    return argument;
}
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, waits, NULL);
    pthread_create(&second, NULL, sets, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
