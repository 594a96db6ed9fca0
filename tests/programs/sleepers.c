// Two threads sleep, for 1 and 2 seconds. Sleeping is one step that is always possible, so they wake
// in any order; the clock never goes back, and what both sleep at once passes once. With c the
// create of the second thread, s and t the sleeps, j and k the joins, the orders are
// s c t j k, s c j t k, c s t j k, c s j t k, c t s j k.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 5
// expect: complete == true
// expect: wall_seconds < 2
// run: -s preempt
// expect: no finding
// expect: executions 5
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static long seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void *nap(void *length)
{
    long start = seconds();
    sleep((unsigned)(uintptr_t)length);
    assert(seconds() - start >= (long)(uintptr_t)length);
    assert(seconds() - start <= 3);
    return NULL;
}

int main(void)
{
    long start = seconds();
    pthread_t first, second;
    pthread_create(&first, NULL, nap, (void *)1);
    pthread_create(&second, NULL, nap, (void *)2);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(seconds() - start >= 2 && seconds() - start <= 3);
    return 0;
}
