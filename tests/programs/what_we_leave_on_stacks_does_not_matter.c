// build: gcc -O0
// run: -s preempt -b 2
// modes: all first
// expect: no finding
// expect: executions 167
// run: -s preempt -b 2 --no-checkpoint
// expect: no finding
// expect: executions 167
// run: -s dpor
// expect: no finding
// expect: executions 1
// run: -s dpor --no-checkpoint
// expect: no finding
// expect: executions 1
// run: -s dpor --isolate fork
// expect: no finding
// expect: executions 1
// Frames of functions that are not optimised have gaps that nobody sets: what lies there was left by calls before, also
// by ours, which do not leave the same where an execution begins at a checkpoint. Whether a turn of a loop is like
// another depends on it: executions went otherwise than before, or were left out.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { LETTERS = 2 };
static atomic_int full, letter, taken;

static bool take(int *out)
{
    int before = atomic_load(&taken);
    if (!atomic_load(&full))
        return false;
    *out = atomic_load(&letter);
    atomic_store(&full, 0);
    atomic_store(&taken, before + 1);
    return true;
}

static void *post(void *unused)
{
    for (int i = 1; i <= LETTERS; i++) {
        while (atomic_load(&full))
            sched_yield();
        atomic_store(&letter, i);
        atomic_store(&full, 1);
    }
    return unused;
}

static void *fetch(void *unused)
{
    for (int i = 1; i <= LETTERS; i++) {
        int got;
        while (!take(&got))
            sched_yield();
        if (got != i)
            __builtin_trap();
    }
    return unused;
}

int main(void)
{
    pthread_t poster, fetcher;
    pthread_create(&poster, NULL, post, NULL);
    pthread_create(&fetcher, NULL, fetch, NULL);
    pthread_join(poster, NULL);
    pthread_join(fetcher, NULL);
    return 0;
}
