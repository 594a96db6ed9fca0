/* The step of a loop is set by another thread: as long as it is 0 the loop goes on computing, forever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int step;

static void *set_step(void *unused)
{
    atomic_store(&step, 8);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set_step, NULL);
#ifdef FIXED
    pthread_join(thread, NULL);
#endif
    int by = atomic_load(&step);
    for (volatile int at = 0; at < 64; at += by)
        ;
#ifndef FIXED
    pthread_join(thread, NULL);
#endif
    return 0;
}
