/* A test that says by its exit status whether all went well: here, whether the worker was ready in time. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *prepare(void *unused)
{
    atomic_store(&ready, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
#ifdef FIXED
    pthread_join(thread, NULL);
#endif
    int was_ready = atomic_load(&ready);
#ifndef FIXED
    pthread_join(thread, NULL);
#endif
    return was_ready ? 0 : 3;
}
