// A relaxed flag orders nothing: what it was meant to publish races.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding race
// expect: output message
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int message;
static atomic_int published;

static void *publish(void *unused)
{
    message = 5;
    atomic_store_explicit(&published, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    __asm__ volatile("" : : "r"(&message)); /* it is more than one bit */
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load_explicit(&published, memory_order_relaxed))
        seen = message;
    pthread_join(thread, NULL);
    return seen == 9;
}
