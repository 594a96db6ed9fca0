/* A thread hands out where its result is, and ends: the result was on its stack. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) result;

static void *compute(void *unused)
{
#ifdef FIXED
    static int sum;
#else
    int sum;
#endif
    sum = 42;
    atomic_store(&result, &sum);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    int *where = atomic_load(&result);
    int value = where != NULL ? *where : 0;
    pthread_join(thread, NULL);
    return value == 1;
}
