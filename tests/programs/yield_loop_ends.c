// A loop that yields gives the others a step each time round, so it ends, and costs no preemption.
// run: -s preempt -b 0
// expect: no finding
// expect: complete == true
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *wait_for_it(void *unused)
{
    while (!atomic_load(&ready))
        sched_yield();
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
