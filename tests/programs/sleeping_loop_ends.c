// A loop that sleeps until a flag is set ends under every strategy: sleeping gives way, and reading
// the flag in the same state is an await.
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: cut 0
// run: -s preempt
// expect: no finding
// expect: complete == true
// expect: cut 0
// run: -s random -n 50
// expect: no finding
// expect: cut 0
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;

static void *wait_for_it(void *unused)
{
    while (!atomic_load(&ready))
        usleep(1000);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    sleep(1);
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return 0;
}
