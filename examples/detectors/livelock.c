/* The worker goes on until it is told to stop. It clears the flag when it starts, and with it a wish that
 * came earlier. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop;

static void *work(void *unused)
{
#ifndef FIXED
    atomic_store(&stop, 0);
#endif
    while (!atomic_load(&stop))
        sched_yield();
    return unused;
}

int main(void)
{
    pthread_t worker;
    atomic_store(&stop, 0);
    pthread_create(&worker, NULL, work, NULL);
    atomic_store(&stop, 1);
    pthread_join(worker, NULL);
    return 0;
}
